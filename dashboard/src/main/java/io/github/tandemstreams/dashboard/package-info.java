/** A page that shows the streams and steers them. The application serves it, under either of Spring's web frameworks. */
@NullMarked
package io.github.tandemstreams.dashboard;

import org.jspecify.annotations.NullMarked;
