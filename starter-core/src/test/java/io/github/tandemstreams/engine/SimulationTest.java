package io.github.tandemstreams.engine;

import static io.github.tandemstreams.Effects.ANYWHERE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.engine.SimulatedInstance.Member;
import io.github.tandemstreams.engine.Simulation.Setup;
import io.github.tandemstreams.engine.Simulation.Storage;
import io.github.tandemstreams.simulation.Audit;
import io.github.tandemstreams.simulation.Explorer;
import io.github.tandemstreams.simulation.Fate;
import io.github.tandemstreams.simulation.PlantedFaults;
import io.github.tandemstreams.simulation.SimulatedCheckpoint;
import io.github.tandemstreams.simulation.SimulatedDatabase;
import io.github.tandemstreams.simulation.Steps;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Two instances of the engine over one lane or two, in every order of their steps up to a depth, and in thousands of random
 * ones, with everything failing that can: whatever happens, each record's effect is there once, and the lanes come to their
 * ends. Each planted fault is found.
 *
 * <p>{@code -Dtandem.simulation.depth} deviations at most in the full search, {@code -Dtandem.simulation.schedules} random
 * schedules of each kind, from {@code -Dtandem.simulation.seed} on.
 */
class SimulationTest {

    private static final org.slf4j.Logger log = LoggerFactory.getLogger("io.github.tandemstreams.simulation");

    private static final int DEPTH = Integer.getInteger("tandem.simulation.depth", 2);
    private static final int SCHEDULES = Integer.getInteger("tandem.simulation.schedules", 1000);
    private static final long SEED = Long.getLong("tandem.simulation.seed", System.currentTimeMillis());

    private static final Storage SOUND =
            (database, steps, audit) -> new SimulatedCheckpoint(database, steps, audit::claimed);

    private static final Storage COMMIT_BELIEVED = new Storage() {

        @Override
        public Checkpoint checkpoint(SimulatedDatabase database, Steps steps, Audit audit) {
            return SOUND.checkpoint(database, steps, audit);
        }

        @Override
        public PlatformTransactionManager transactions(SimulatedDatabase database, Steps steps) {
            return PlantedFaults.commitBelieved(database, steps);
        }
    };

    /** Two batches, and the second one's plan rides along with the first one's commit. */
    private static final List<Long> FEW = List.of(0L, 2L, 3L);

    /** Of each lane, where there are two: the number of schedules grows with the square of the steps. */
    private static final List<Long> TWO = List.of(0L, 2L);

    private static final List<Long> MANY = List.of(0L, 2L, 3L, 5L, 6L, 7L, 9L, 12L, 13L);

    /** A handler that never fails for long isn't to be taken for one that can't process a record. */
    private static final int NO_ISOLATION = 1000;

    @BeforeAll
    static void silence() {
        engineLog().setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        engineLog().setLevel(null);
    }

    /** It has much to say of each fault, and there are many. */
    private static Logger engineLog() {
        return (Logger) LoggerFactory.getLogger("io.github.tandemstreams.engine");
    }

    // ---- nothing is found

    @Test
    void noOrderOfStepsAndFaultsBreaksAPromise() {
        assertThat(everything(SOUND, ANYWHERE, ANYWHERE, DEPTH).found()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"DATABASE, DATABASE", "ANYWHERE, DATABASE", "DATABASE, ANYWHERE"})
    void norWhereEffectsAreInTheDatabaseOnly(Effects first, Effects second) {
        assertThat(everything(SOUND, first, second, DEPTH - 1).found()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ANYWHERE, ANYWHERE", "DATABASE, DATABASE", "ANYWHERE, DATABASE"})
    void noLongRunBreaksAPromise(Effects first, Effects second) {
        assertThat(random(SOUND, first, second).found()).isEmpty();
    }

    /** Plans of one ride along with commits of the other, and some of their batches share a transaction. */
    @Test
    void noOrderOfStepsAndFaultsBreaksAPromiseToTwoLanes() {
        assertThat(everything(SOUND, 2, TWO, ANYWHERE, ANYWHERE, DEPTH).found()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ANYWHERE, ANYWHERE", "DATABASE, DATABASE", "ANYWHERE, DATABASE"})
    void norDoesALongRun(Effects first, Effects second) {
        assertThat(random(SOUND, 2, first, second).found()).isEmpty();
    }

    /** An operator pauses, resumes, or has the lane go back, whoever is in the middle of what. */
    @Test
    void noOrderOfStepsFaultsAndCommandsBreaksAPromise() {
        Scheduler.Limits limits = new Scheduler.Limits(1, 1, 1, false, Set.of());
        Setup setup = new Setup(members(ANYWHERE, ANYWHERE), 1, FEW, Set.of(), NO_ISOLATION, SOUND, limits);
        assertThat(everything(setup, DEPTH).found()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ANYWHERE, ANYWHERE", "DATABASE, ANYWHERE"})
    void badRecordsAloneBecomeDeadLettersWhateverElseHappens(Effects first, Effects second) {
        // A record is condemned by the fourth death in its trial, so one death fewer must never condemn one.
        Scheduler.Limits limits = new Scheduler.Limits(6, 0, 3, true, Set.of(Fate.HANDLER_FAILS));
        Setup setup = new Setup(members(first, second), 1, MANY, Set.of(2L, 9L), 4, SOUND, limits);
        assertThat(random(setup).found()).isEmpty();
    }

    /** However often the lane moves in the middle of a batch or of a trial: nobody died in it. */
    @ParameterizedTest
    @CsvSource({"ANYWHERE, ANYWHERE", "DATABASE, ANYWHERE"})
    void handOversParkNoGoodRecord(Effects first, Effects second) {
        Scheduler.Limits limits = new Scheduler.Limits(
                30, 0, 0, true, Set.of(Fate.HANDLER_FAILS, Fate.REFUSED, Fate.LOST, Fate.LOST_COMMITTING));
        Setup setup = new Setup(members(first, second), 1, MANY, Set.of(2L, 9L), 2, SOUND, limits);
        assertThat(random(setup).found()).isEmpty();
    }

    // ---- planted faults are found

    /** As long as the commit log keeps a batch's row, its key stops a second commit too; but pruning leaves only the last. */
    @Test
    void aCommitThatComparesNothingIsFound() {
        Explorer.Result searched = everything(PlantedFaults::withoutCompare, ANYWHERE, ANYWHERE, 2);
        assertThat(deviations(searched)).isEqualTo(2);
        assertThat(random(PlantedFaults::withoutCompare, ANYWHERE, ANYWHERE).found())
                .isPresent();
    }

    @Test
    void aClaimThatReadsThePlanInItsOnlyStatementIsFound() {
        Explorer.Result searched = everything(PlantedFaults::oneStatementClaim, ANYWHERE, ANYWHERE, 2);
        assertThat(violation(searched)).contains("a claim finds Optional.empty as plan");
        assertThat(deviations(searched)).isEqualTo(1);
        assertThat(random(PlantedFaults::oneStatementClaim, ANYWHERE, ANYWHERE).found())
                .isPresent();
    }

    @Test
    void aRidingPlanThatIsUsedBeforeItsCommitWasAcknowledgedIsFound() {
        Explorer.Result searched = everything(COMMIT_BELIEVED, ANYWHERE, ANYWHERE, 2);
        assertThat(deviations(searched)).isEqualTo(1);
    }

    @Test
    void aPlanThatDidntRideAlongAndIsTakenForWrittenIsFound() {
        Explorer.Result searched = everything(PlantedFaults::ridersBelieved, 2, FEW, ANYWHERE, ANYWHERE, 2);
        assertThat(violation(searched)).contains("the transaction id").contains("now stands for");
        assertThat(deviations(searched)).isEqualTo(2);
    }

    // ---- the searches

    private static Explorer.Result everything(Storage storage, Effects first, Effects second, int depth) {
        return everything(storage, 1, FEW, first, second, depth);
    }

    private static Explorer.Result everything(
            Storage storage, int lanes, List<Long> records, Effects first, Effects second, int depth) {
        Scheduler.Limits limits = new Scheduler.Limits(2, 0, 3, false, Set.of());
        return everything(
                new Setup(members(first, second), lanes, records, Set.of(), NO_ISOLATION, storage, limits), depth);
    }

    private static Explorer.Result everything(Setup setup, int depth) {
        Explorer.Result searched = new Explorer(chooser -> new Simulation(setup, chooser).run()).everything(depth);
        report("all schedules with up to " + depth + " deviations", searched);
        return searched;
    }

    private static Explorer.Result random(Storage storage, Effects first, Effects second) {
        return random(storage, 1, first, second);
    }

    private static Explorer.Result random(Storage storage, int lanes, Effects first, Effects second) {
        Scheduler.Limits limits = new Scheduler.Limits(6, 4, 9, true, Set.of());
        return random(new Setup(members(first, second), lanes, MANY, Set.of(), NO_ISOLATION, storage, limits));
    }

    private static Explorer.Result random(Setup setup) {
        Explorer.Result searched =
                new Explorer(chooser -> new Simulation(setup, chooser).run()).random(SEED, SCHEDULES);
        report("random schedules from -Dtandem.simulation.seed=" + SEED + " on", searched);
        return searched;
    }

    /** They cut batches differently, so that a plan which isn't honoured shows. */
    private static List<Member> members(Effects first, Effects second) {
        return List.of(new Member("A", 2, first), new Member("B", 3, second));
    }

    private static void report(String what, Explorer.Result searched) {
        log.info("Simulation: {}: {} were run, with {} steps", what, searched.schedules(), searched.decisions());
        searched.found().ifPresent(found -> log.info("Simulation: found: {}", found));
    }

    private static String violation(Explorer.Result searched) {
        return searched.found().flatMap(found -> found.run().violation()).orElse("nothing was found");
    }

    private static int deviations(Explorer.Result searched) {
        return searched.found().orElseThrow().schedule().deviations().size();
    }
}
