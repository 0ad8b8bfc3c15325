package org.cabrank.epoll.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.epoll.TestKernel;
import org.cabrank.kernel.Events;
import org.cabrank.lf.Deactivation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals that another process sends to a JVM that was started with them blocked. */
@Timeout(60)
class SignalTest {
    /** A real-time signal: queued. */
    private static final int QUEUED = 37;

    private static final List<String> BLOCKED = List.of("USR1", "" + QUEUED);
    private static final String OPEN = "open " + Events.SIGUSR1 + " " + QUEUED;

    record Mode(TestKernel kernel, Deactivation deactivation, int threads) {
        ChildJvm child(List<String> blocked, String... options) throws Exception {
            kernel.kernel(); // or the test is skipped
            ChildJvm child = new ChildJvm(
                    kernel, blocked, List.of(options), SignalChild.class, deactivation.name(), "" + threads);
            assertEquals("ready", child.line());
            return child;
        }

        @Override
        public String toString() {
            return kernel.name() + " " + deactivation + " " + threads;
        }
    }

    static Stream<Mode> modes() {
        return TestKernel.all().stream()
                .flatMap(kernel -> Arrays.stream(Deactivation.values()).map(mode -> new Mode(kernel, mode, 3)));
    }

    private static Mode anyMode() {
        TestKernel any = TestKernel.all().stream()
                .filter(kernel -> kernel.opened() != null)
                .findFirst()
                .orElseThrow();
        return new Mode(any, Deactivation.CLAIM, 2);
    }

    @BeforeAll
    static void signalsCanBeBlocked() throws Exception {
        assumeTrue(ChildJvm.signalsCanBeBlocked(), "env(1) has no --block-signal: it is older than coreutils 8.31");
    }

    private static String told(int signal, long pid) throws Exception {
        return "signal " + signal + " code 0 pid " + pid + " uid "
                + java.nio.file.Files.getAttribute(java.nio.file.Path.of("/proc/self"), "unix:uid");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void signalsTellTheirSenders(Mode mode) throws Exception {
        try (ChildJvm child = mode.child(BLOCKED)) {
            child.tell(OPEN);
            assertEquals("open signals SIGUSR1, signal 37", child.line());
            for (int i = 0; i < 5; i++) {
                long usr1 = child.signal(Events.SIGUSR1);
                assertEquals(told(Events.SIGUSR1, usr1), child.line());
                long queued = child.signal(QUEUED, QUEUED, QUEUED);
                for (int each = 0; each < 3; each++) {
                    assertEquals(told(QUEUED, queued), child.line());
                }
            }
            assertEquals(0, child.end());
            assertTrue(child.isSilent());
        }
    }

    /** More of them than are taken in one go, which had all come before there was a source. */
    @ParameterizedTest
    @MethodSource("modes")
    void pendingSignalsAreToldStandardOnesOnceAndQueuedOnesEach(Mode mode) throws Exception {
        try (ChildJvm child = mode.child(BLOCKED)) {
            long first = child.signal(Events.SIGUSR1);
            child.signal(Events.SIGUSR1, Events.SIGUSR1);
            int[] many = new int[3 * Source.TAKEN_MAX];
            Arrays.fill(many, QUEUED);
            long sender = child.signal(many);
            child.tell(OPEN);
            assertTrue(child.line().startsWith("open"));
            assertEquals(told(Events.SIGUSR1, first), child.line());
            for (int i = 0; i < many.length; i++) {
                assertEquals(told(QUEUED, sender), child.line());
            }
            assertEquals(0, child.end());
            assertTrue(child.isSilent());
        }
    }

    @Test
    void signalsOfAClosedSourceWaitForTheNext() throws Exception {
        try (ChildJvm child = anyMode().child(BLOCKED)) {
            child.tell(OPEN);
            child.line();
            child.tell("close");
            assertEquals("closed", child.line());
            long sender = child.signal(QUEUED, QUEUED);
            child.tell(OPEN);
            assertTrue(child.line().startsWith("open"));
            assertEquals(told(QUEUED, sender), child.line());
            assertEquals(told(QUEUED, sender), child.line());
        }
    }

    @Test
    void signalThatThreadsWouldTakeIsRefusedWithTheRemedy() throws Exception {
        try (ChildJvm child = anyMode().child(List.of("TERM"))) {
            child.tell("open " + Events.SIGUSR1);
            String refused = child.line();
            assertTrue(refused.startsWith("refused SIGUSR1 is not blocked by every thread"), refused);
            assertTrue(refused.contains("env --block-signal=USR1 java"), refused);
            // It was blocked, and the JVM has unblocked it for its own use.
            child.tell("open " + Events.SIGTERM);
            refused = child.line();
            assertTrue(refused.startsWith("refused SIGTERM"), refused);
            assertTrue(refused.contains("env --block-signal=TERM java -Xrs"), refused);
        }
    }

    /** The remedy that the refusal names is one. */
    @Test
    void signalsOfTheJvmsOwnCanBeHadInstead() throws Exception {
        List<Integer> signals = List.of(Events.SIGHUP, Events.SIGINT, Events.SIGQUIT, Events.SIGTERM);
        try (ChildJvm child = anyMode().child(List.of("HUP", "INT", "QUIT", "TERM"), "-Xrs")) {
            child.tell("open 1 2 3 15");
            assertEquals("open signals SIGHUP, SIGINT, SIGQUIT, SIGTERM", child.line());
            for (int signal : signals) {
                assertEquals(told(signal, child.signal(signal)), child.line());
            }
            assertEquals(0, child.end());
        }
    }

    @Test
    void exampleReportsAndEnds() throws Exception {
        Mode mode = anyMode();
        try (ChildJvm child = new ChildJvm(mode.kernel, List.of("USR1", "WINCH"), List.of(), SignalExample.class)) {
            assertEquals("ready", child.line());
            long sender = child.signal(Events.SIGUSR1);
            assertTrue(child.line().startsWith("process " + sender + " asks: PoolCounters["));
            child.signal(Events.SIGWINCH);
            assertEquals(0, child.end());
        }
    }
}
