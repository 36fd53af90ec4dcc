package io.github.tandemstreams.engine;

import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.StartReport;
import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.checkpoint.CommandStore;
import io.github.tandemstreams.source.SourceUnavailableException;
import io.github.tandemstreams.source.TopicNotFoundException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream on this instance: registers it, starts its source and workers, stops them in order.
 *
 * <p>Threading: all methods may be called from any thread; starts and stops exclude each other.
 */
public final class StreamRuntime {

    private static final Logger log = LoggerFactory.getLogger(StreamRuntime.class);

    /** How long an interrupted worker has for its roll-back. */
    private static final Duration ROLL_BACK = Duration.ofSeconds(2);

    /** How long a running batch has when an operator stops the stream everywhere: it can't commit any more. */
    private static final Duration OPERATORS_STOP = Duration.ofSeconds(10);

    private final StreamDefinition<?> stream;
    private final ProgressReporter reporter;
    private final Clock clock;
    private final Registration registration;
    private final SafeText safe;
    private final LagReporter.Pace lagPace;
    private final Errands errands;

    private volatile StreamStatus.State state = StreamStatus.State.STOPPED;
    private volatile @Nullable Problem problem;
    private volatile @Nullable Running running;
    private @Nullable Thread starter;

    /** Exists from a start to a stop of this instance's, whether an operator has the stream stopped everywhere or not. */
    private volatile @Nullable CommandWatch watch;

    private boolean stoppedByOperator;

    /** What exists while the stream runs. */
    private record Running(Lanes lanes, List<Worker> workers, List<Thread> threads, Pruner pruner, LagReporter lag) {}

    /**
     * @param stream the stream
     * @param listeners hear of batches
     * @param clock for back-off, intervals and times in the log
     */
    public StreamRuntime(StreamDefinition<?> stream, List<StreamProgressListener> listeners, Clock clock) {
        this(stream, listeners, clock, LagReporter.Pace.DEFAULT);
    }

    /** @param lagPace how often it is looked where lanes end */
    StreamRuntime(
            StreamDefinition<?> stream, List<StreamProgressListener> listeners, Clock clock, LagReporter.Pace lagPace) {
        this.stream = stream;
        this.lagPace = lagPace;
        this.safe = new SafeText(stream.checkpoint());
        this.reporter = new ProgressReporter(listeners, stream.checkpoint().instance(), clock);
        this.clock = clock;
        ForeignTransactions.listenTo(stream.transactionManager());
        this.registration = new Registration(stream);
        this.errands = new Errands("tandem-" + name() + "-errand");
    }

    /** The one of this name. */
    static StreamRuntime named(String stream, Collection<StreamRuntime> here) {
        return here.stream()
                .filter(runtime -> runtime.name().equals(stream))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("No stream '" + stream + "' is configured here; there are "
                                + here.stream().map(StreamRuntime::name).toList()));
    }

    /** Name of the stream. */
    public String name() {
        return stream.name();
    }

    StreamDefinition<?> definition() {
        return stream;
    }

    /**
     * Starts the stream. If the source or the database can't be reached, it is waited for in the background. A stream that an
     * operator stopped on all instances stays so, and starts here when an operator starts it.
     *
     * @throws TopicNotFoundException if a topic doesn't exist
     */
    public synchronized void start() {
        if (state != StreamStatus.State.STOPPED || watch != null) {
            return;
        }
        state = StreamStatus.State.STARTING;
        stoppedByOperator = false;
        try {
            registration.run();
            openUnlessStoppedByOperator();
        } catch (RuntimeException failure) {
            if (failure instanceof TopicNotFoundException || !isWorthWaiting(failure)) {
                state = StreamStatus.State.STOPPED;
                stream.source().stop();
                throw failure;
            }
            waitFor(failure);
        }
        CommandWatch watching = new CommandWatch(this);
        watch = watching;
        watching.start();
    }

    private boolean isWorthWaiting(RuntimeException failure) {
        if (failure instanceof SourceUnavailableException) {
            return true;
        }
        return switch (stream.checkpoint().classify(failure)) {
            case TRANSIENT, TIMED_OUT -> true;
            case FATAL, DATA, HANDLER -> false;
        };
    }

    private void waitFor(RuntimeException first) {
        Problem found = Problem.after(null, safe.ofSource(first), clock.instant());
        problem = found;
        log.warn("Stream '{}': can't start yet, and is tried again until it can: {}", name(), found.text());
        starter = Threads.daemon("tandem-" + name() + "-starter", this::startLater);
        starter.start();
    }

    private void startLater() {
        try {
            tryUntilStarted();
        } finally {
            letGoIfStopped();
        }
    }

    /** What was asked of the source after the stop has opened it again. */
    private synchronized void letGoIfStopped() {
        if (state == StreamStatus.State.STOPPED) {
            stream.source().stop();
        }
    }

    private void tryUntilStarted() {
        for (int failures = 1; ; failures++) {
            try {
                TimeUnit.MILLISECONDS.sleep(
                        stream.failurePolicy().backoff().afterFailures(failures).toMillis());
                registration.run();
                openUnlessStopped();
                return;
            } catch (InterruptedException stopped) {
                return;
            } catch (RuntimeException again) {
                problem = Problem.after(problem, safe.ofSource(again), clock.instant());
                log.debug("Stream '{}': start failed {} times", name(), failures + 1, again);
            }
        }
    }

    private synchronized void openUnlessStopped() {
        if (state == StreamStatus.State.STARTING) {
            openUnlessStoppedByOperator();
            starter = null;
        }
    }

    private void openUnlessStoppedByOperator() {
        if (commands().orders(name()).stopped()) {
            stayStopped();
        } else {
            open();
        }
    }

    private void stayStopped() {
        stream.source().stop();
        stoppedByOperator = true;
        Problem stopped = new Problem(
                "an operator stopped the stream on all instances; it starts again by the command 'start'",
                clock.instant());
        problem = stopped;
        state = StreamStatus.State.STOPPED;
        log.info("Stream '{}': {}", name(), stopped.text());
    }

    /** What the watch found: an operator's stop, or start, of the stream on all instances. */
    synchronized void obey(CommandWatch from, boolean stop) {
        Running now = running;
        if (watch != from || stop == stoppedByOperator) {
            return;
        }
        if (!stop) {
            open();
            stoppedByOperator = false;
        } else if (now != null) {
            state = StreamStatus.State.STOPPING;
            close(now, OPERATORS_STOP);
            running = null;
            stayStopped();
            reporter.stopped(name());
        }
    }

    private void open() {
        List<Worker> workers = new ArrayList<>();
        LaneClaimer claimer = new LaneClaimer(stream, clock);
        ReadWriteLock searches = new ReentrantReadWriteLock(true);
        for (int i = 0; i < stream.concurrency(); i++) {
            workers.add(new Worker(stream, claimer, reporter, searches, clock));
        }
        List<Thread> threads = IntStream.range(0, workers.size())
                .mapToObj(i -> Threads.daemon("tandem-" + name() + "-worker-" + i, workers.get(i)))
                .toList();
        Lanes lanes = new Lanes(name(), stream.limits(), workers, lagPace.knownFor());
        Pruner pruner = new Pruner(stream, reporter::batches);
        LagReporter lag = new LagReporter(stream, lanes::all, lagPace);
        threads.forEach(Thread::start);
        pruner.start();
        lag.start();
        running = new Running(lanes, workers, threads, pruner, lag);
        try {
            stream.source().start(lanes);
        } catch (RuntimeException failure) {
            close(running, ROLL_BACK);
            running = null;
            throw failure;
        }
        problem = null;
        state = StreamStatus.State.RUNNING;
        log.info(
                "Stream '{}': started, topics {}, {} workers",
                name(),
                stream.source().topics(),
                workers.size());
        reporter.started(name());
    }

    /**
     * Stops the stream: no batch and no dead letter begins any more; what runs is finished, or, when the time is over,
     * interrupted and rolled back. Returns when that is done.
     */
    public void stop(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        errands.stop();
        CommandWatch ended = stopHere(timeout);
        if (ended != null) {
            // It may be waiting for this runtime itself, which it can have by now.
            ended.awaitEnd(left(end), ROLL_BACK);
        }
        errands.stop(left(end), ROLL_BACK);
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    private synchronized @Nullable CommandWatch stopHere(Duration timeout) {
        CommandWatch ended = watch;
        watch = null;
        if (ended != null) {
            ended.stop();
        }
        stopLanes(timeout);
        return ended;
    }

    private void stopLanes(Duration timeout) {
        if (state == StreamStatus.State.STOPPED) {
            problem = null;
            return;
        }
        state = StreamStatus.State.STOPPING;
        if (starter != null) {
            starter.interrupt();
            starter = null;
        }
        Running now = running;
        if (now != null) {
            close(now, timeout);
            running = null;
        }
        stream.source().stop();
        problem = null;
        state = StreamStatus.State.STOPPED;
        log.info("Stream '{}': stopped", name());
        if (now != null) {
            reporter.stopped(name());
        }
    }

    private void close(Running now, Duration timeout) {
        now.workers().forEach(Worker::stop);
        try {
            if (!joined(now.threads(), timeout)) {
                log.warn(
                        "Stream '{}': a batch is still running after {}; it is interrupted and rolled back",
                        name(),
                        timeout);
                now.threads().forEach(Thread::interrupt);
                if (!joined(now.threads(), ROLL_BACK)) {
                    log.warn(
                            "Stream '{}': a handler doesn't react to its interruption; its batch can't commit, since the"
                                    + " DataSource closes under it",
                            name());
                }
            }
        } catch (InterruptedException hurried) {
            now.threads().forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        } finally {
            now.pruner().stop(ROLL_BACK);
            now.lag().stop(ROLL_BACK);
        }
    }

    private static boolean joined(List<Thread> threads, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            if (thread.isAlive()) {
                return false;
            }
        }
        return true;
    }

    /** What the stream does on this instance. */
    public StreamStatus status() {
        Running now = running;
        if (now == null) {
            return status(List.of(), problem);
        }
        Problem present = Stream.of(now.lanes().trouble(), now.lag().trouble(), problem)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return status(now.lanes().all().stream().map(Lane::status).toList(), present);
    }

    private StreamStatus status(List<LaneStatus> lanes, @Nullable Problem present) {
        return present == null
                ? new StreamStatus(name(), state, lanes, null, null)
                : new StreamStatus(name(), state, lanes, present.text(), present.since());
    }

    /**
     * Where the stream's lanes would start if it were started now.
     *
     * @param from instead of what is configured; null for that
     */
    List<StartReport> starts(@Nullable StartingOffsets from) {
        try {
            return new LaneStarts(stream).from(from == null ? stream.startingOffsets() : from);
        } finally {
            letGoIfStopped();
        }
    }

    // ---- commands

    CommandStore commands() {
        return stream.checkpoint().commands();
    }

    /**
     * Gives a command for every instance and carries out what is left of it; this instance obeys at once.
     *
     * @return the command as it is then. It is pending still if source or database can't do it now
     */
    CommandRecord submit(StreamCommand command) {
        CommandRecord given = commands().give(command);
        CommandRecord settled =
                given.status() == CommandRecord.Status.PENDING ? aside(stopped -> carryOut(given, stopped)) : given;
        recheck();
        return settled;
    }

    /**
     * Does something for a caller that waits for it, apart from what is bound to the caller's thread.
     *
     * @param work is given what tells whether the stream has been stopped here meanwhile
     */
    <T> T aside(Function<BooleanSupplier, T> work) {
        return errands.run(work);
    }

    /** Carries out a pending command that was taken. */
    CommandRecord carryOut(CommandRecord command, BooleanSupplier stopped) {
        try {
            CommandRecord now = new CommandExecution(stream, stopped).carryOut(command);
            CommandWatch watching = watch;
            if (now.status() == CommandRecord.Status.PENDING && watching != null) {
                watching.putOff(now.id());
            }
            return now;
        } finally {
            letGoIfStopped();
            recheck();
        }
    }

    /** A command was given: all lanes are compared with the table now, and the watch looks at its orders. */
    private void recheck() {
        Running now = running;
        if (now != null) {
            now.workers().forEach(Worker::recheck);
        }
        CommandWatch watching = watch;
        if (watching != null) {
            watching.wakeUp();
        }
    }
}
