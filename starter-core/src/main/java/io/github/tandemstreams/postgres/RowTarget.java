package io.github.tandemstreams.postgres;

import java.util.Collection;

/** Where rows go. */
interface RowTarget<T> {

    void write(Collection<? extends T> rows);
}
