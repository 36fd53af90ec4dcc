/**
 * What the sample promises, seen from outside: it runs as a process of its own, on a broker and a Postgres that outlive it,
 * and is killed, stopped and started again.
 */
package io.github.tandemstreams.acceptance;
