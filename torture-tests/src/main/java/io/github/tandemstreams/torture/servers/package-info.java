/** The servers and applications, and the proxy between them. */
@NullMarked
package io.github.tandemstreams.torture.servers;

import org.jspecify.annotations.NullMarked;
