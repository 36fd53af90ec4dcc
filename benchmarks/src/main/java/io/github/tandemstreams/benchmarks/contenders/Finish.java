package io.github.tandemstreams.benchmarks.contenders;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Lets a program that would run for ever end in order when it has done all. */
public final class Finish {

    private final long total;
    private final AtomicLong done = new AtomicLong();
    private final CountDownLatch all = new CountDownLatch(1);

    public Finish(long total) {
        this.total = total;
    }

    /** So many records more are done. */
    public void add(long records) {
        if (done.addAndGet(records) >= total) {
            all.countDown();
        }
    }

    /** Whether all are. */
    public boolean isReached() {
        return all.getCount() == 0;
    }

    /** Waits until all are. */
    public void await() throws InterruptedException {
        all.await();
    }
}
