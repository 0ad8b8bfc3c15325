package org.cabrank.bench.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StderrLoggerTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    private final StderrLogger logger = new StderrLogger("org.cabrank.epoll.EpollShard", Level.INFO, () -> out);

    @Test
    void aMessageIsOneLineWithTimeLevelAndTheClassThatSpeaks() {
        logger.log(Level.WARNING, "accepting pauses");
        assertTrue(text().matches("\\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\d WARNING EpollShard: accepting pauses\\R"), text());
    }

    @Test
    void messageBelowTheThresholdIsNotPrinted() {
        logger.log(Level.DEBUG, "detail");
        assertEquals("", text());
    }

    @Test
    void aFailureIsPrintedWithItsStack() {
        logger.log(Level.ERROR, "it broke", new IllegalStateException("why"));
        assertTrue(text().contains("IllegalStateException: why"), text());
        assertTrue(text().contains("StderrLoggerTest.aFailureIsPrintedWithItsStack"), text());
    }

    @Test
    void parametersAreFilledIn() {
        logger.log(Level.INFO, "{0} of {1}", 3, 4);
        assertTrue(text().endsWith("3 of 4" + System.lineSeparator()), text());
    }

    @Test
    void bracesInAPlainMessageStayAsTheyAre() {
        logger.log(Level.INFO, "a {brace} and it's");
        assertTrue(text().contains("a {brace} and it's"), text());
    }

    @Test
    void anUnknownLevelIsTakenAsInfo() {
        assertEquals(Level.INFO, StderrLoggerFinder.threshold("loud"));
        assertEquals(Level.DEBUG, StderrLoggerFinder.threshold("debug"));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
