package io.github.tandemstreams.torture.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final Duration SPAN = Duration.ofMinutes(10);

    @Test
    void isTheSameForTheSameSeed() {
        assertThat(Schedule.of(7, SPAN, 2.2, 3)).isEqualTo(Schedule.of(7, SPAN, 2.2, 3));
        assertThat(Schedule.of(7, SPAN, 2.2, 3)).isNotEqualTo(Schedule.of(8, SPAN, 2.2, 3));
    }

    @Test
    void hasEachKindAsOftenAsTheRateSays() {
        List<Fault> schedule = Schedule.of(7, SPAN, 2.2, 3);

        assertThat(schedule).allMatch(fault -> fault.at().compareTo(SPAN) < 0 && fault.application() < 3);
        assertThat(FaultKind.values())
                .allSatisfy(kind -> assertThat(schedule.stream().filter(fault -> fault.kind() == kind))
                        .hasSize(22));
    }
}
