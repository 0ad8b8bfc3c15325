package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProgressTest {

    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void elsewhereThanOnATerminalEveryRunIsALine() {
        Progress progress = new Progress(out, false, 4, 30 * SECOND, 0);
        progress.begins("nio", "", 1, 2, 0);
        progress.ended(30 * SECOND);
        progress.begins("netty-nio", "", 1, 2, 10 * SECOND);
        progress.clear();
        assertEquals("""
                [1/4] round 1 of 2: nio, 2 min 0 s left
                [2/4] round 1 of 2: netty-nio, 30 s left
                """, text());
    }

    @Test
    void elsewhereATopicOfSeveralTurnsHasOneLineInEachRound() {
        Progress progress = new Progress(out, false, 4, SECOND, 0);
        progress.begins("a cell", "nio", 1, 2, 0);
        progress.ended(SECOND);
        progress.begins("a cell", "netty-nio", 1, 2, SECOND);
        progress.ended(SECOND);
        progress.begins("a cell", "nio", 2, 2, 2 * SECOND);
        assertEquals("""
                [1/4] round 1 of 2: a cell, 4 s left
                [3/4] round 2 of 2: a cell, 2 s left
                """, text());
    }

    @Test
    void turnsThatTakeLongerCountForMore() {
        Progress progress = new Progress(out, false, 2, 5 * SECOND, 0);
        progress.begins("long", "", 1, 1, 0);
        progress.ended(9.0 * SECOND);
        progress.begins("short", "", 1, 1, 18 * SECOND);
        assertEquals("""
                [1/2] round 1 of 1: long, 10 s left
                [2/2] round 1 of 1: short, 2 s left
                """, text());
    }

    @Test
    void onATerminalOneLineIsRewritten() {
        Progress progress = new Progress(out, true, 4, SECOND, 0);
        progress.begins("a cell", "nio", 1, 2, 0);
        progress.clear();
        assertEquals("\r\033[K[1/4] round 1 of 2: a cell, nio, 4 s left\r\033[K", text());
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
