/** Puts Tandem together from an application's properties and beans. */
@NullMarked
package io.github.tandemstreams.autoconfigure;

import org.jspecify.annotations.NullMarked;
