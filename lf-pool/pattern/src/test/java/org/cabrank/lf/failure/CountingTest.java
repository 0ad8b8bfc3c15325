package org.cabrank.lf.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.cabrank.lf.counting.Counter;
import org.junit.jupiter.api.Test;

/** Counter and failure log. */
class CountingTest {
    private record Entry(String message, Throwable failure) {}

    private static final class Recorder implements System.Logger {
        final List<Entry> entries = new ArrayList<>();

        @Override
        public String getName() {
            return "recorder";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable failure) {
            entries.add(new Entry(message, failure));
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            throw new AssertionError("without the failure: " + format);
        }
    }

    private final Recorder recorder = new Recorder();
    private final FailureLog log = new FailureLog(recorder);

    @Test
    void counterCounts() {
        Counter counter = new Counter();
        assertEquals(0, counter.valueOpaque());
        counter.add(1);
        counter.add(41);
        assertEquals(42, counter.valueOpaque());
    }

    @Test
    void failureIsLoggedOncePerKindAndCountedEachTime() {
        for (int i = 0; i < 10; i++) {
            log.log("attempt " + i, new IllegalStateException("same place"));
        }
        assertEquals(10, log.count());
        assertEquals(1, recorder.entries.size());
        Entry entry = recorder.entries.get(0);
        assertTrue(entry.message().startsWith("attempt 0 "), entry.message());
        assertEquals("same place", entry.failure().getMessage());
    }

    @Test
    void otherClassesAndOtherPlacesAreOtherKinds() {
        for (int i = 0; i < 2; i++) {
            log.log("one", new IllegalStateException());
            log.log("another place", new IllegalStateException());
            log.log("another class", new IllegalArgumentException());
        }
        assertEquals(6, log.count());
        assertEquals(3, recorder.entries.size());
    }

    @Test
    void kindsAreBounded() {
        for (int i = 0; i < FailureLog.KINDS_MAX + 10; i++) {
            Exception failure = new Exception();
            failure.setStackTrace(new StackTraceElement[] {new StackTraceElement("Some", "method", "Some.java", i)});
            log.log("failure", failure);
        }
        assertEquals(FailureLog.KINDS_MAX, recorder.entries.size());
        assertEquals(FailureLog.KINDS_MAX + 10, log.count());
    }
}
