/** Faults that a process brings upon itself, at exact points between its statements, without any hook in the product. */
package io.github.tandemstreams.acceptance.faults;
