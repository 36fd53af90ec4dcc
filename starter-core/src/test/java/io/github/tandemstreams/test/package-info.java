/** Fixtures: a real database for each test. */
@NullMarked
package io.github.tandemstreams.test;

import org.jspecify.annotations.NullMarked;
