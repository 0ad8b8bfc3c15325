package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.text.HostPort;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server process whose system calls fail at intervals, under clients that check each byte. In a soak, every errno has a
 * server of its own, for longer, with both kernel bindings. Otherwise a server gets several errnos, at most one for each
 * call.
 *
 * <p>A ring accepts, receives and sends by requests instead of system calls, so EMFILE, ECONNABORTED and every other errno
 * of accept4(2) cannot be injected there. EMFILE reaches a ring by a limit, in {@code RingDescriptorShortageTest}; failures
 * of a ring's requests come from faulty submissions, in {@code RingAcceptFaultTest} and {@code RingFaultsTest}; and the
 * outcome of each errno is decided for both backends in one place, {@code AcceptOutcomeTest}.
 *
 * <p>EAGAIN is injected into waiting calls only. From accept4(2), recvfrom(2) and sendto(2) EAGAIN is not a failure but
 * means that no data or no room is available now. Sockets are watched by edges, so after a false EAGAIN the server rightly
 * waits for an edge that never comes.
 */
@Once
@Timeout(300)
final class InjectedFaultsTest {
    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;
    private static final long RUN_NS = TimeUnit.MILLISECONDS.toNanos(SOAK ? 2_000 : 150);

    /** A busy machine answers nobody for a while. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private static final int CONNECTIONS = 6;
    private static final int SIZE_BYTES = 64;
    private static final long ANSWERS_ENOUGH = 200;
    private static final int ROUNDS_MAX = 100;

    @TempDir
    private Path directory;

    /** A server, and the calls that fail. */
    record Faults(String kernel, String backend, List<String> calls) {
        Faults(String backend, String... calls) {
            this(null, backend, List.of(calls));
        }

        @Override
        public String toString() {
            return backend + (kernel == null ? "" : " " + kernel) + " " + String.join(" ", calls);
        }
    }

    @BeforeAll
    static void assumeStrace() throws InterruptedException {
        Strace.assumeAvailable();
    }

    /** Failures that cost nothing: the call is made again. In a soak every errno; else those that reach each kind of outcome. */
    static Stream<Faults> passing() {
        if (SOAK) {
            return ofEveryKernel(Stream.concat(
                    Stream.of("EINTR", "EAGAIN", "EBUSY", "ENOMEM", "ENOBUFS")
                            .flatMap(errno -> Stream.of(
                                    new Faults("epoll", "epoll_wait:error=" + errno + ":when=2+3"),
                                    new Faults("iouring", "io_uring_enter:error=" + errno + ":when=4+3"))),
                    Stream.of(
                                    "EINTR",
                                    "EBUSY",
                                    "EMFILE",
                                    "ENFILE",
                                    "ECONNABORTED",
                                    "ENOMEM",
                                    "ENOBUFS",
                                    "EPROTO",
                                    "ENETDOWN")
                            .map(errno -> new Faults("epoll", "accept4:error=" + errno + ":when=2+3"))));
        }
        return Stream.of(
                new Faults(
                        "epoll",
                        "epoll_wait:error=EINTR:when=2+3",
                        "recvfrom:error=EINTR:when=2+3",
                        "sendto:error=EINTR:when=2+3",
                        "accept4:error=EMFILE:when=2+3"),
                new Faults("iouring", "io_uring_enter:error=EBUSY:when=4+5"));
    }

    /** Failures that may cost the connection concerned, and nothing else. */
    static Stream<Faults> costly() {
        return ofEveryKernel(Stream.of(new Faults(
                "epoll",
                "epoll_ctl:error=ENOMEM:when=9+11",
                "recvfrom:error=ENOMEM:when=7+31",
                "sendto:error=ENOBUFS:when=7+37")));
    }

    private static Stream<Faults> ofEveryKernel(Stream<Faults> faults) {
        return SOAK ? faults.flatMap(each -> Stream.of(each, new Faults("jna", each.backend, each.calls))) : faults;
    }

    @ParameterizedTest
    @MethodSource("passing")
    void noByteIsLostAndNoConnectionEndsByFailuresThatPass(Faults faults) throws Exception {
        Strace strace = new Strace(faults.calls, directory.resolve("calls"));
        try (ServeProcess server = serve(strace, faults)) {
            HostPort address = server.address();
            for (LoadTraffic traffic :
                    List.of(LoadTraffic.churn(CONNECTIONS, SIZE_BYTES), LoadTraffic.randomChunks(CONNECTIONS))) {
                assertEquals(Map.of(), load(address, traffic).errors(), server::errorsOrWhyNot);
            }
            strace.assertInjected();
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    @ParameterizedTest
    @MethodSource("costly")
    void failuresOfOneConnectionCostNoOther(Faults faults) throws Exception {
        Strace strace = new Strace(faults.calls, directory.resolve("calls"));
        try (ServeProcess server = serve(strace, faults)) {
            HostPort address = server.address();
            long answers = 0;
            for (int round = 0; answers < ANSWERS_ENOUGH; round++) {
                assertTrue(round < ROUNDS_MAX, server::errorsOrWhyNot);
                LoadResult result = load(address, LoadTraffic.churn(CONNECTIONS, SIZE_BYTES));
                answers += result.answers();
                assertTrue(
                        result.errors().keySet().stream().noneMatch(kind -> kind.contains("wrong answer")),
                        () -> result.errors() + server.errorsOrWhyNot());
            }
            strace.assertInjected();
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    /** Retried for some seconds, and then the end, for a supervisor to start the server again. */
    static Stream<Faults> permanent() {
        return ofEveryKernel(Stream.of(
                new Faults("epoll", "epoll_wait:error=ENOMEM:when=20+"),
                new Faults("iouring", "io_uring_enter:error=EBUSY:when=20+")));
    }

    @InSoak
    @ParameterizedTest
    @MethodSource("permanent")
    void serverEndsWithStatusOneWhenTheKernelRefusesForGood(Faults faults) throws Exception {
        Strace strace = new Strace(faults.calls, directory.resolve("calls"));
        try (ServeProcess server = serve(strace, faults)) {
            LoadResult result = load(server.address(), LoadTraffic.churn(CONNECTIONS, SIZE_BYTES));
            assertTrue(!result.errors().isEmpty(), "nothing was refused");
            strace.assertInjected();
            assertEquals(1, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    private static ServeProcess serve(Strace strace, Faults faults) throws IOException {
        return ServeProcess.startUnder(
                strace.command(), faults.kernel, "echo", "--listen", "127.0.0.1:0", "--backend", faults.backend);
    }

    /** Runs until enough has been answered, or until every connection has failed. */
    private static LoadResult load(HostPort address, LoadTraffic traffic) throws Exception {
        LoadSettings settings = new LoadSettings(address.resolve(), traffic, 1, PATIENCE_NS);
        LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
        generator.awaitConnected();
        long before = generator.beginMeasuring();
        boolean goesOn;
        long answers;
        do {
            goesOn = generator.run(RUN_NS);
            answers = generator.endMeasuring() - before;
        } while (answers < ANSWERS_ENOUGH && goesOn);
        LoadResult result = generator.finish();
        assertNull(generator.firstWrongAnswer());
        return result;
    }
}
