package org.cabrank.lf.failure;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A failure log never throws: its callers hold claims and leadership. */
class FailureLogTest {
    private final List<String> messages = new ArrayList<>();
    private Throwable brokenBy;

    private final FailureLog log = new FailureLog(new System.Logger() {
        @Override
        public String getName() {
            return "breakable";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable failure) {
            throwIfBroken();
            messages.add(message);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            throw new AssertionError("without the failure: " + format);
        }
    });

    private void throwIfBroken() {
        if (brokenBy != null) {
            FailureLogTest.<RuntimeException>sneak(brokenBy);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    static List<Throwable> thrown() {
        return List.of(
                new IllegalStateException("disk full"),
                new Exception("checked"),
                new StackOverflowError(),
                new OutOfMemoryError(),
                new InternalError(),
                new AssertionError());
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void loggerThatThrowsCostsOneEntry(Throwable by) {
        long before = FailureLog.unloggedCount();
        brokenBy = by;
        assertDoesNotThrow(() -> log.log("failed", new IllegalStateException()));
        assertEquals(1, log.count());
        assertEquals(before + 1, FailureLog.unloggedCount());
    }

    @Test
    void kindThatCouldNotBeLoggedIsTriedAgain() {
        brokenBy = new IllegalStateException("disk full");
        for (int attempt = 1; attempt <= 3; attempt++) {
            log.log("attempt " + attempt, new IllegalStateException());
            brokenBy = null;
        }
        assertEquals(3, log.count());
        assertEquals(List.of("attempt 2 (logged once per kind; further ones are counted)"), messages);
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void subjectWhoseNameCannotBeToldIsNamedByItsClass(Throwable by) {
        brokenBy = by;
        Object subject = new Object() {
            @Override
            public String toString() {
                throwIfBroken();
                return "named";
            }
        };
        assertEquals("a " + subject.getClass().getName() + " whose toString failed", FailureLog.name(subject));
        brokenBy = null;
        log.log("the handler of %s failed", subject, new IllegalStateException());
        assertTrue(messages.get(0).startsWith("the handler of named failed"), messages.get(0));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void failureWhoseOwnMethodsThrowIsCounted(Throwable by) {
        brokenBy = by;
        Throwable broken = new RuntimeException() {
            @Override
            public StackTraceElement[] getStackTrace() {
                throwIfBroken();
                return super.getStackTrace();
            }

            @Override
            public String getMessage() {
                throwIfBroken();
                return super.getMessage();
            }
        };
        assertDoesNotThrow(() -> log.log(() -> "failed: " + broken.getMessage(), broken));
        assertEquals(1, log.count());
    }

    @Test
    void messageIsBuiltOnlyIfItIsLogged() {
        List<String> built = new ArrayList<>();
        for (int attempt = 1; attempt <= 3; attempt++) {
            String message = "attempt " + attempt;
            log.log(
                    () -> {
                        built.add(message);
                        return message;
                    },
                    new IllegalStateException());
        }
        assertEquals(List.of("attempt 1"), built);
    }

    @Test
    void callerTellsKindsOfOnePlaceApart() {
        for (int i = 0; i < 4; i++) {
            String kind = i % 2 == 0 ? "EPERM" : "ENETUNREACH";
            log.logKind(kind, () -> kind, new IllegalStateException());
        }
        assertEquals(2, messages.size());
        assertTrue(
                messages.get(0).startsWith("EPERM") && messages.get(1).startsWith("ENETUNREACH"), messages::toString);
        assertEquals(4, log.count());
    }

    @Test
    void overflowsOfOneRecursionAreOneKindWhicheverCallOverflows() {
        for (int depth = 0; depth < 20; depth++) {
            StackOverflowError overflow = new StackOverflowError();
            List<StackTraceElement> stack = new ArrayList<>();
            stack.add(new StackTraceElement("Leaf" + depth, "call", "Leaf.java", depth));
            for (int frame = 0; frame < 100; frame++) {
                stack.add(new StackTraceElement("Parser", "value", "Parser.java", 7));
            }
            overflow.setStackTrace(stack.toArray(new StackTraceElement[0]));
            log.log("the handler failed", overflow);
        }
        assertEquals(20, log.count());
        assertEquals(1, messages.size());
    }
}
