package io.github.tandemstreams.torture.faults;

import io.github.tandemstreams.torture.input.Producers;
import io.github.tandemstreams.torture.process.Story;
import io.github.tandemstreams.torture.servers.Application;
import io.github.tandemstreams.torture.servers.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Carries out a schedule: whatever can be hit has a thread of its own, so faults of different targets overlap. */
public final class FaultRunner implements AutoCloseable {

    private static final Duration SUPERVISION = Duration.ofMillis(500);

    private final List<ApplicationFaults> applications = new ArrayList<>();
    private final List<ScheduledExecutorService> applicationThreads = new ArrayList<>();
    private final ScheduledExecutorService postgres = thread("postgres");
    private final ScheduledExecutorService broker = thread("broker");
    private final ScheduledExecutorService proxy = thread("proxy");
    private final List<Future<?>> supervision = new ArrayList<>();
    private final ServerFaults servers;
    private final Tally tally = new Tally();

    /** From now on, applications that end are started again. */
    public FaultRunner(Cluster cluster, Producers producers, Story story, long seed) {
        servers = new ServerFaults(cluster, producers, story, seed);
        for (Application application : cluster.applications()) {
            ApplicationFaults faults = new ApplicationFaults(application, cluster, story);
            ScheduledExecutorService thread = thread(application.name());
            applications.add(faults);
            applicationThreads.add(thread);
            supervision.add(
                    thread.scheduleWithFixedDelay(faults::supervise, 0, SUPERVISION.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /** Returns when the last fault is over: the servers are up again, the applications start or run. */
    public Tally run(List<Fault> schedule) throws InterruptedException, ExecutionException {
        Instant start = Instant.now();
        List<Future<?>> pending = new ArrayList<>();
        for (Fault fault : schedule) {
            long delay = Duration.between(Instant.now(), start.plus(fault.at())).toMillis();
            pending.add(threadOf(fault).schedule(carryOut(fault), delay, TimeUnit.MILLISECONDS));
        }
        for (Future<?> fault : pending) {
            fault.get();
        }
        return tally;
    }

    private ScheduledExecutorService threadOf(Fault fault) {
        return switch (fault.kind()) {
            case KILL, FREEZE, STOP -> applicationThreads.get(fault.application());
            case TERMINATE, POSTGRES_CRASH -> postgres;
            case BROKER_RESTART, PARTITION -> broker;
            case CUT, COMMIT_CUT -> proxy;
        };
    }

    private Callable<Void> carryOut(Fault fault) {
        return () -> {
            if (hits(fault)) {
                tally.count(fault.kind());
            }
            return null;
        };
    }

    private boolean hits(Fault fault) {
        switch (fault.kind()) {
            case KILL -> applications.get(fault.application()).kill(fault);
            case FREEZE -> applications.get(fault.application()).freeze(fault);
            case STOP -> applications.get(fault.application()).stop(fault);
            case POSTGRES_CRASH -> servers.crash(fault);
            case BROKER_RESTART -> servers.restart(fault);
            case PARTITION -> servers.addPartition();
            case TERMINATE -> {
                return servers.terminate(fault);
            }
            case CUT -> {
                return servers.cut(fault);
            }
            case COMMIT_CUT -> {
                return servers.cutCommits(fault);
            }
        }
        return true;
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(runnable -> {
            Thread thread = new Thread(runnable, "faults-" + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Nothing is started again from now on. */
    @Override
    public void close() throws InterruptedException {
        supervision.forEach(task -> task.cancel(false));
        List<ScheduledExecutorService> all = new ArrayList<>(applicationThreads);
        all.addAll(List.of(postgres, broker, proxy));
        for (ScheduledExecutorService thread : all) {
            thread.shutdownNow();
            thread.awaitTermination(1, TimeUnit.MINUTES);
        }
    }
}
