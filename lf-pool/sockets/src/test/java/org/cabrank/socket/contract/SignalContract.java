package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.cabrank.kernel.Events;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.source.SignalHandler;
import org.cabrank.socket.source.SignalSource;
import org.cabrank.stream.contract.Modes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals that another process sends to a JVM that was started with them blocked. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
public abstract class SignalContract {
    /** A real-time signal: queued. */
    private static final int QUEUED = 37;

    /** Signals that a source takes in one go. */
    private static final int TAKEN_MAX = 64;

    private static final List<String> BLOCKED = List.of("USR1", "" + QUEUED);
    private static final String OPEN = "open " + Events.SIGUSR1 + " " + QUEUED;

    /** The kind of the child's sets. */
    protected abstract SetKind kind();

    private SetMode anyMode() {
        int threads = kind().isForSeveralThreads() ? 2 : 1;
        return new SetMode(TestKernel.anyTestKernel(), kind(), Deactivation.CLAIM, threads, Promotion.deferred());
    }

    private static ChildJvm child(SetMode mode, List<String> blocked, String... options) throws Exception {
        mode.kernel().kernel(); // or the test is skipped
        ChildJvm child = new ChildJvm(
                mode.kernel(),
                blocked,
                List.of(options),
                SignalChild.class,
                mode.kind().getClass().getName(),
                mode.deactivation().name(),
                "" + mode.threads());
        assertEquals("ready", child.line());
        return child;
    }

    @BeforeAll
    static void signalsCanBeBlocked() throws Exception {
        assumeTrue(ChildJvm.signalsCanBeBlocked(), "env(1) has no --block-signal: it is older than coreutils 8.31");
    }

    /** Skips over one backend what takes a child, and depends on the JVM and its options but not on the set. */
    private void assumeOnce() {
        assumeTrue(Modes.isSoak() || kind().isForSeveralThreads(), "runs over the other backend, and in a soak");
    }

    private static String told(int signal, long pid) throws Exception {
        return "signal " + signal + " code 0 pid " + pid + " uid "
                + java.nio.file.Files.getAttribute(java.nio.file.Path.of("/proc/self"), "unix:uid");
    }

    /** More of them than are taken in one go, which had all come before there was a source. Those of a closed source wait for the next. */
    @ParameterizedTest
    @MethodSource("modes")
    void pendingStandardSignalIsReportedOnceAndEachRealTimeSignalWithItsSender(SetMode mode) throws Exception {
        try (ChildJvm child = child(mode, BLOCKED)) {
            long first = child.signal(Events.SIGUSR1);
            child.signal(Events.SIGUSR1, Events.SIGUSR1);
            int[] many = new int[3 * TAKEN_MAX];
            Arrays.fill(many, QUEUED);
            long sender = child.signal(many);
            child.tell(OPEN);
            assertEquals("open signals SIGUSR1, signal 37", child.line());
            assertEquals(told(Events.SIGUSR1, first), child.line());
            for (int i = 0; i < many.length; i++) {
                assertEquals(told(QUEUED, sender), child.line());
            }
            for (int i = 0; i < 3; i++) {
                long usr1 = child.signal(Events.SIGUSR1);
                assertEquals(told(Events.SIGUSR1, usr1), child.line());
                long queued = child.signal(QUEUED, QUEUED);
                assertEquals(told(QUEUED, queued), child.line());
                assertEquals(told(QUEUED, queued), child.line());
            }
            child.tell("close");
            assertEquals("closed", child.line());
            long between = child.signal(QUEUED, QUEUED);
            child.tell(OPEN);
            assertTrue(child.line().startsWith("open"));
            assertEquals(told(QUEUED, between), child.line());
            assertEquals(told(QUEUED, between), child.line());
            assertEquals(0, child.end());
            assertTrue(child.isSilent());
        }
    }

    @Test
    void signalThatThreadsWouldTakeIsRefusedWithTheRemedy() throws Exception {
        assumeOnce();
        try (ChildJvm child = child(anyMode(), List.of("TERM"))) {
            child.tell("open " + Events.SIGUSR1);
            String refused = child.line();
            assertTrue(refused.startsWith("refused SIGUSR1 is not blocked by every thread"), refused);
            assertTrue(refused.contains("env --block-signal=USR1 java"), refused);
            // The signal was blocked, and the JVM has unblocked it for its own use.
            child.tell("open " + Events.SIGTERM);
            refused = child.line();
            assertTrue(refused.startsWith("refused SIGTERM"), refused);
            assertTrue(refused.contains("env --block-signal=TERM java -Xrs"), refused);
        }
    }

    /** The remedy that the refusal names is one. */
    @Test
    void signalsThatTheJvmUsesAreReceivedAfterAnOption() throws Exception {
        assumeOnce();
        List<Integer> signals = List.of(Events.SIGHUP, Events.SIGINT, Events.SIGQUIT, Events.SIGTERM);
        try (ChildJvm child = child(anyMode(), List.of("HUP", "INT", "QUIT", "TERM"), "-Xrs")) {
            child.tell("open 1 2 3 15");
            assertEquals("open signals SIGHUP, SIGINT, SIGQUIT, SIGTERM", child.line());
            for (int signal : signals) {
                assertEquals(told(signal, child.signal(signal)), child.line());
            }
            assertEquals(0, child.end());
        }
    }

    /** This JVM was not started with anything blocked. */
    @Test
    void sourceIsRefusedWhereThreadsWouldTakeItsSignals() throws IOException {
        DescriptorSet set = kind().open(TestKernel.any(), Deactivation.CLAIM);
        SignalHandler handler = (source, signal) -> {};
        assertThrows(IllegalStateException.class, () -> SignalSource.open(set, handler, Events.SIGUSR1));
        assertThrows(IllegalArgumentException.class, () -> SignalSource.open(set, handler, Events.SIGUSR1, 9));
        assertThrows(IllegalArgumentException.class, () -> SignalSource.open(set, handler));
        assertEquals(0, set.handleCount());
        set.close();
    }
}
