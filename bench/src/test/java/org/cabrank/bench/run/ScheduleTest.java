package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.cabrank.bench.contender.Contenders;
import org.junit.jupiter.api.Test;

final class ScheduleTest {

    @Test
    void everyContenderRunsInEveryRoundAndEachRoundBeginsWithAnother() {
        Schedule schedule = Schedule.of(Contenders.named(List.of("nio", "netty-nio", "netty-epoll")), 4);
        List<String> turns = schedule.turns().stream()
                .map(turn -> turn.round() + "." + turn.position() + " "
                        + turn.contender().name())
                .toList();
        assertEquals(
                List.of(
                        "1.1 nio",
                        "1.2 netty-nio",
                        "1.3 netty-epoll",
                        "2.1 netty-nio",
                        "2.2 netty-epoll",
                        "2.3 nio",
                        "3.1 netty-epoll",
                        "3.2 nio",
                        "3.3 netty-nio",
                        "4.1 nio",
                        "4.2 netty-nio",
                        "4.3 netty-epoll"),
                turns);
    }
}
