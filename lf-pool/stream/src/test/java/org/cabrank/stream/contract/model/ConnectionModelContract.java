package org.cabrank.stream.contract.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs of calls on a connection and on {@link ConnectionModel}: no callback comes that the contract does not allow, each that is
 * due comes, and the peer receives what was written. An older JDK runs them in a soak only, because they do not depend on the JVM.
 *
 * <p>{@code cabrank.soak.seconds} is how long all modes take together with random programs. {@code cabrank.stress.seed} is the first seed,
 * and {@code cabrank.program} a program to run instead of all others, as a failure shows it.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Timeout(24 * 60 * 60)
@Tag("newest")
public abstract class ConnectionModelContract extends StreamContract {
    private static final int SEEDS = 60;

    /** Outside a soak one of so many programs runs over Unix sockets. All programs run over TCP. */
    private static final int SHARE_OF_UNIX = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration PATIENCE_OF_SHRINKING = Duration.ofSeconds(1);

    /** Programs that a backend did not run as the model does. */
    private static final List<String> FOUND = List.of(
            "DATA: WHEN_WRITTEN; COMPLETION: OFFLOAD WRITE; steps: SEND",
            "DATA: PAUSE SHUTDOWN RESUME; steps: SEND HALF_CLOSE",
            "OPENED: WHEN_WRITTEN; COMPLETION: EXECUTE SHUTDOWN; TASK: OFFLOAD; steps: WORK_DONE",
            "DATA: OFFLOAD; CONTINUATION: @ABORT; steps: SEND",
            "DEADLINE_PASSED: WAIT; steps: DEADLINE RESUME SEND",
            "DEADLINE_PASSED: @ABORT; steps: DEADLINE",
            "OPENED: EXECUTE TIMER TIMER_EVERY; TASK: MOVE; steps: ",
            "CLOSED: MOVE; steps: CLOSE",
            "DATA: OFFLOAD; CONTINUATION: WAIT; steps: SEND",
            "DATA: WAIT; INPUT_CLOSED: PAUSE SHUTDOWN REPLACE; steps: SEND HALF_CLOSE REPLY RESUME",
            "DATA: @PAUSE REPLACE; steps: SEND",
            "DATA: PAUSE RESUME @CLOSE LEAVE; steps: SEND",
            "INPUT_CLOSED: ; steps: HALF_CLOSE DRAIN",
            "OPENED: DEADLINE; DEADLINE_PASSED: WAIT; steps: DEADLINE",
            "DATA: @SHUTDOWN; INPUT_CLOSED: PAUSE; steps: SEND HALF_CLOSE",
            "OPENED: TIMER; TIMER: OFFLOAD SHUTDOWN; CONTINUATION: SEND_FILE; steps: ",
            "OPENED: @WRITE_TWO OFFLOAD DEADLINE; steps: ",
            "OPENED: EXECUTE; TASK: @WRITE_TWO @ABORT; steps: ",
            "OPENED: EXECUTE @FLOOD; TASK: OFFLOAD SEND_FILE; steps: ",
            "DATA: FLOOD LEAVE; WRITABLE: OFFLOAD; steps: SEND",
            "TASK: WAIT; DEADLINE_PASSED: EXECUTE; steps: DEADLINE",
            "OPENED: @FLOOD THROW; steps: ",
            "OPENED: OFFLOAD @MOVE; CONTINUATION: WRITE; steps: STOP_READING FLOOD SHUTDOWN WORK_DONE",
            "WRITABLE: REPLACE; steps: FLOOD SEND");

    @Parameter
    protected ReactorMode mode;

    @TempDir
    Path directory;

    private final Set<String> reached = ConcurrentHashMap.newKeySet();
    private ProgramRun present;
    private TestReactor reactor;
    private SocketAddress address;
    private ReactorFile file;
    private int listeners;

    /** Modes of {@code all} to run: all of them in a soak, else those that differ most. */
    protected static Stream<ReactorMode> of(Stream<ReactorMode> all, Predicate<String> differsMost) {
        return Modes.reactors(all.filter(mode -> Modes.isSoak() || differsMost.test(mode.name())));
    }

    /** Number of modes that share {@code cabrank.soak.seconds}. */
    protected abstract int modeCount();

    /** One of so many programs is run outside a soak. */
    protected int share() {
        return 1;
    }

    @Override
    protected final ReactorMode mode() {
        return mode;
    }

    @Test
    void everyProgramDoesOverTcpAsTheModelDoes() throws Exception {
        run(false);
    }

    @Test
    void everyProgramDoesOverUnixSocketsAsTheModelDoes() throws Exception {
        run(true);
    }

    private void run(boolean unix) throws Exception {
        String given = System.getProperty("cabrank.program");
        if (given != null) {
            String difference = difference(Program.parse(given), unix, PATIENCE);
            assertEquals(null, difference);
            return;
        }
        for (String found : FOUND) {
            check(Program.parse(found), unix, "found before");
        }
        int share = Modes.isSoak() ? 1 : unix ? SHARE_OF_UNIX * share() : share();
        // Each mode and each kind of socket takes other programs of the same pairs.
        int turn = (mode.threads() > 1 ? 1 : 0) + (unix ? 2 : 0);
        List<Program> pairs = Modes.isSoak() ? ProgramGenerator.pairs(unix) : ProgramGenerator.fewPairs(unix, turn);
        for (int i = 0; i < pairs.size(); i += share) {
            check(pairs.get(i), unix, "pair");
        }
        if (share == 1) {
            assertEveryPairReached();
        }
        long seed = Long.getLong("cabrank.stress.seed", Modes.isSoak() ? System.nanoTime() : 1);
        long startNs = System.nanoTime();
        long soakNs =
                Duration.ofSeconds(Long.getLong("cabrank.soak.seconds", 0)).toNanos() / (2L * modeCount());
        for (long i = 0; i < SEEDS / share || System.nanoTime() - startNs < soakNs; i++) {
            check(new ProgramGenerator(seed + i).next(), unix, "-Dcabrank.stress.seed=" + (seed + i));
        }
    }

    private void check(Program program, boolean unix, String name) throws Exception {
        String first = difference(program, unix, PATIENCE);
        if (first != null) {
            Program shrunk = new Shrinker(smaller -> {
                        try {
                            return difference(smaller, unix, PATIENCE_OF_SHRINKING) != null;
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    })
                    .shrink(program);
            String again = difference(shrunk, unix, PATIENCE_OF_SHRINKING);
            fail(mode + (unix ? ", Unix" : ", TCP") + ", " + name + ": -Dcabrank.program='" + shrunk + "'\n" + again
                    + "\nshrunk from " + program + "\n" + first);
        }
    }

    private String difference(Program program, boolean unix, Duration patience) throws Exception {
        if (reactor == null) {
            startReactor(unix);
        }
        ProgramRun run = new ProgramRun(program, mode, file, reached, patience);
        present = run;
        String difference = run.run(address, () -> reactor.reactor().close());
        if (difference != null || program.steps().contains(Op.DRAIN)) {
            closeWhatWasOpened();
            reactor = null;
        }
        return difference;
    }

    private void startReactor(boolean unix) throws Exception {
        reactor = start(StreamReactor.builder()
                .drainTimeout(PATIENCE)
                .limits(StreamLimits.DEFAULT.withQueue(
                        OutputModel.LOW_WATERMARK, OutputModel.HIGH_WATERMARK, OutputModel.QUEUE_LIMIT))
                .timeouts(StreamTimeouts.DEFAULT.withClose(StreamTimeouts.DEFAULT.closeTotal())));
        address = unix
                ? reactor.listen(
                        UnixDomainSocketAddress.of(directory.resolve("socket" + listeners++)),
                        mode.accept(),
                        () -> present)
                : reactor.listen(() -> present);
        Path path = Files.writeString(directory.resolve("file"), ProgramRun.FILE);
        file = closing(reactor.reactor().openFile(path));
    }

    private void assertEveryPairReached() {
        Set<String> wanted = new TreeSet<>();
        for (Callback callback : Callback.values()) {
            for (Op op : Op.values()) {
                if (op == Op.WAIT && callback == Callback.CLOSED || !op.isCall()) {
                    continue;
                }
                wanted.add(callback + " " + op);
                if (op.mayBeElsewhere()) {
                    wanted.add(callback + " @" + op);
                }
            }
        }
        wanted.removeAll(reached);
        assertTrue(wanted.isEmpty(), "not reached: " + new ArrayList<>(wanted));
    }
}
