package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.socket.transport.AcceptPause;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepting when it fails: for one connection, or for want of descriptors. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Tag("newest") // on an older JDK in a soak only
class AcceptFaultTest extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);
    private static FaultyKernel kernel;

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        return EpollModes.over(() -> kernel);
    }

    AcceptFaultTest() {
        kernel = new FaultyKernel(TestKernel.any());
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    /** accept(2): the connection is gone, or the network has an error for it; the next one is not. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Errno.ECONNABORTED,
                Errno.EPROTO,
                Errno.ENETDOWN,
                Errno.ENONET,
                Errno.EHOSTUNREACH,
                Errno.ENETUNREACH,
                Errno.ETIMEDOUT
            })
    void connectionThatIsGoneBeforeItIsAcceptedIsPassedOver(int errno) throws Exception {
        kernel.plan("accept4", Plan.first(-errno, -errno));
        TestReactor reactor = start();
        client(reactor.listen(ECHO)).send("x").expect("x");
        assertEquals(0, reactor.failureCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM})
    void withoutDescriptorsAcceptingPausesAndGoesOnByItself(int errno) throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            TestReactor reactor = start();
            SocketAddress address = reactor.listen(ECHO);
            TestClient served = client(address).send("x").expect("x");
            kernel.plan("accept4", Plan.from(1, 3, -errno));
            List<TestClient> waiting = new ArrayList<>();
            waiting.add(client(address).send("y"));
            Await.until("accepting was tried again", () -> kernel.calls("accept4") >= 2);
            served.send("still served").expect("still served");
            waiting.get(0).expect("y");
            Await.until("it is logged", () -> !log.warnings().isEmpty()); // perhaps by another than has served y
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            assertTrue(log.warnings().get(0).contains(Errno.name(errno)), log.warnings()::toString);
            boolean descriptors = errno == Errno.EMFILE || errno == Errno.ENFILE;
            String remedy = descriptors ? "ulimit -n" : "memory limit of this process's cgroup";
            assertTrue(log.warnings().get(0).contains(remedy), log.warnings()::toString);

            kernel.plan("accept4", Plan.from(1, 2, -errno));
            client(address).send("z").expect("z");
            assertEquals(1, log.warnings().size(), "said once: " + log.warnings());
        }
    }

    /** A security module decides before the connection leaves the queue: it is asked again later, and not at once. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EACCES, Errno.EPERM, Errno.EIO})
    void refusedAcceptIsTriedAgainLaterAndTheListenerStays(int errno) throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            TestReactor reactor = start();
            SocketAddress address = reactor.listen(ECHO);
            client(address).send("x").expect("x");
            kernel.plan("accept4", Plan.from(1, 3, -errno));
            client(address).send("y").expect("y");
            Await.until("the pause is logged", () -> !log.warnings().isEmpty());
            assertTrue(log.warnings().get(0).contains(Errno.name(errno)), log.warnings()::toString);
            assertTrue(log.warnings().get(0).contains("security module"), log.warnings()::toString);
            assertEquals(0, reactor.failureCount());
            assertTrue(acceptFailures(reactor) >= 1);
        }
    }

    /** Errors of single connections alone, on and on: the thread is not kept busy by them. */
    @Test
    void acceptThatOnlyFailsPauses() throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            TestReactor reactor = start();
            SocketAddress address = reactor.listen(ECHO);
            client(address).send("x").expect("x");
            kernel.plan("accept4", call -> -Errno.ECONNABORTED);
            TestClient waiting = client(address).send("y");
            Await.until("accepting has paused", () -> !log.warnings().isEmpty());
            kernel.plan("accept4", call -> Plan.ASK);
            waiting.expect("y");
            assertTrue(acceptFailures(reactor) >= 64);
        }
    }

    private static long acceptFailures(TestReactor reactor) {
        return reactor.reactor().shardCounters().stream()
                .mapToLong(ShardCounters::acceptFailures)
                .sum();
    }

    /** A busy loop would call hundreds of times in the time of a few retries. */
    @Test
    void withoutDescriptorsThereIsNoBusyLoop() throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            SocketAddress address = serve(ECHO);
            client(address).send("x").expect("x");
            long begunNs = System.nanoTime();
            kernel.plan("accept4", call -> -Errno.EMFILE);
            for (int i = 0; i < 5; i++) {
                client(address);
            }
            Await.until(
                    "it was tried again twice",
                    () -> kernel.calls("accept4") >= 3 && System.nanoTime() - begunNs > 250_000_000);
            int calls = kernel.calls("accept4"); // first: while this thread is held up there are more
            long retries = (System.nanoTime() - begunNs) / 100_000_000 + 1; // or the call that found x to be the last
            assertTrue(
                    calls <= mode.shards() * (5 + retries),
                    "one try of each listener for each arrival and each retry, but " + calls);
            kernel.plan("accept4", call -> Plan.ASK);
            Await.until("it is logged", () -> !log.warnings().isEmpty());
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
        }
    }

    @Test
    void closedConnectionLetsTheNextOneInAtOnce() throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            TestReactor reactor = start();
            SocketAddress address = reactor.listen(ECHO);
            TestClient first = client(address).send("x").expect("x");
            AtomicBoolean room = new AtomicBoolean();
            kernel.plan("accept4", call -> room.get() ? Plan.ASK : -Errno.EMFILE);
            TestClient second = client(address).send("y");
            Await.until("accepting has paused", () -> !log.warnings().isEmpty());
            room.set(true);
            long begunNs = System.nanoTime();
            first.endOutput().expectEnd();
            second.expect("y");
            assertTrue(System.nanoTime() - begunNs < Await.PATIENCE_NS);
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
        }
    }

    /** A listener that closes by itself would leave a process that looks alive, and that nobody can connect to. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EBADF, Errno.EINVAL, Errno.ENOTSOCK, Errno.EFAULT})
    void failureOfTheSocketItselfEndsTheReactor(int errno) throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(ECHO);
        TestClient served = client(address).send("x").expect("x");
        Await.until("whoever has accepted has found that there is no more", () -> kernel.calls("accept4") >= 2);
        kernel.plan("accept4", Plan.first(-errno));
        client(address);
        ReactorFailedException failed = assertThrows(
                ReactorFailedException.class, () -> reactor.reactor().awaitTermination());
        assertTrue(failed.getMessage().contains(Errno.name(errno)), failed::getMessage);
        served.expectReset();
    }

    @Test
    void drainWithoutDescriptorsEnds() throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            TestReactor reactor = start();
            SocketAddress address = reactor.listen(ECHO);
            TestClient served = client(address).send("x").expect("x");
            kernel.plan("accept4", call -> -Errno.EMFILE);
            client(address).send("y");
            Await.until("accepting has paused", () -> !log.warnings().isEmpty());
            served.close();
            reactor.close();
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
        }
    }
}
