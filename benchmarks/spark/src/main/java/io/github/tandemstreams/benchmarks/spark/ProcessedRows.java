package io.github.tandemstreams.benchmarks.spark;

import io.github.tandemstreams.benchmarks.contenders.Finish;
import org.apache.spark.sql.streaming.StreamingQueryListener;

/** Hears of each micro-batch that is done. */
final class ProcessedRows extends StreamingQueryListener {

    private final Finish finish;

    ProcessedRows(Finish finish) {
        this.finish = finish;
    }

    @Override
    public void onQueryStarted(QueryStartedEvent event) {}

    @Override
    public void onQueryProgress(QueryProgressEvent event) {
        finish.add(event.progress().numInputRows());
    }

    @Override
    public void onQueryTerminated(QueryTerminatedEvent event) {}
}
