package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.concurrent.FutureTask;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.socket.transport.SocketBackend;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.ThreadPlacement;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of the shard on the CPU that receives them: over loopback, the CPU that sends. */
class ReceivingCpuTest extends StreamContract {
    private static final int MASK_BYTES = 1024;

    /** Named bound: ports that somebody else has taken in the meantime. */
    private static final int ATTEMPTS_MAX = 5;

    private static final ConnectionHandler NAMES_THREAD = (connection, data) -> {
        data.position(data.limit());
        byte[] name = Thread.currentThread().getName().getBytes(StandardCharsets.ISO_8859_1);
        connection.write(ByteBuffer.wrap(name));
        connection.close();
    };

    private final Kernel system = TestKernel.any();
    private Kernel kernel = system;

    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(kernel).withShards(2, AcceptMode.EXCLUSIVE);
    }

    /** Shards that say they run on these CPUs, whether or not they do. */
    private static ThreadPlacement saying(boolean strict, int... cpuOfShard) {
        return new ThreadPlacement() {
            @Override
            public void place(int shard, int thread) {
                // wherever the scheduler likes
            }

            @Override
            public int[] cpus(int shard) {
                return new int[] {cpuOfShard[shard]};
            }

            @Override
            public boolean isStrict() {
                return strict;
            }
        };
    }

    private TestReactor start(ThreadPlacement placement) throws IOException {
        return start(StreamReactor.builder().placement(placement));
    }

    private ByteBuffer mask() {
        return ByteBuffer.allocateDirect(MASK_BYTES).order(ByteOrder.nativeOrder());
    }

    private BitSet allowed() throws IOException {
        ByteBuffer mask = mask();
        Errno.check("sched_getaffinity", system.schedGetaffinity(0, MASK_BYTES, system.addressOf(mask)));
        return BitSet.valueOf(mask);
    }

    /** The shard that answers a client that runs on this CPU, in a thread of its own. */
    private int shardThatAnswers(SocketAddress address, int cpu) throws Exception {
        FutureTask<String> asking = new FutureTask<>(() -> {
            ByteBuffer mask = mask();
            mask.put(cpu / Byte.SIZE, (byte) (1 << cpu % Byte.SIZE));
            Errno.check("sched_setaffinity", system.schedSetaffinity(0, MASK_BYTES, system.addressOf(mask)));
            try (TestClient client = TestClient.connect(address)) {
                return new String(client.send("?").endOutput().readToEnd());
            }
        });
        new Thread(asking).start();
        return asking.get().charAt("cabrank-s".length()) - '0';
    }

    private int[] twoCpus() throws IOException {
        int[] cpus = allowed().stream().limit(2).toArray();
        assumeTrue(cpus.length == 2, "there is one CPU");
        return cpus;
    }

    @ParameterizedTest
    @EnumSource(names = {"REUSEPORT_CPU", "DISPATCH_CPU"})
    void connectionComesToTheShardOfTheCpuThatReceivesIt(AcceptMode accept) throws Exception {
        int[] cpus = twoCpus();
        for (int turned = 0; turned < 2; turned++) { // once as the CPUs' numbers would have it by themselves, once not
            TestReactor reactor = start(saying(true, cpus[turned], cpus[1 - turned]));
            SocketAddress address = reactor.listen(TestReactor.loopback(0), accept, () -> NAMES_THREAD);
            for (int i = 0; i < 6; i++) {
                assertEquals(0, shardThatAnswers(address, cpus[turned]));
                assertEquals(1, shardThatAnswers(address, cpus[1 - turned]));
            }
        }
    }

    @Test
    void amongShardsOnOneCpuTheLeastLoadedIsDispatchedTo() throws Exception {
        int cpu = allowed().nextSetBit(0);
        TestReactor reactor = start(saying(false, cpu, cpu));
        SocketAddress address =
                reactor.listen(TestReactor.loopback(0), AcceptMode.DISPATCH_CPU, () -> (connection, data) -> {
                    data.position(data.limit());
                    connection.write(ByteBuffer.wrap(
                            Thread.currentThread().getName().substring(9, 10).getBytes()));
                });
        StringBuilder shards = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            shards.append(new String(client(address).send("?").read(1)));
        }
        assertEquals(4, shards.chars().filter(shard -> shard == '0').count(), shards::toString);
    }

    private Kernel refusing(int option, int errno) {
        return new ForwardingKernel(system) {
            @Override
            public int setsockopt(int fd, int level, int name, long value, int length) {
                return level == Sockets.SOL_SOCKET && name == option
                        ? -errno
                        : super.setsockopt(fd, level, name, value, length);
            }

            @Override
            public int getsockopt(int fd, int level, int name, long value, long length) {
                return level == Sockets.SOL_SOCKET && name == option
                        ? -errno
                        : super.getsockopt(fd, level, name, value, length);
            }
        };
    }

    @Test
    void refusedProgramFallsBackToReuseportAndLogsTheReason() throws Exception {
        kernel = refusing(Sockets.SO_ATTACH_REUSEPORT_CBPF, Errno.EPERM);
        try (LogCapture log = new LogCapture(SocketBackend.class)) {
            TestReactor reactor = start(saying(false, 0, 1));
            SocketAddress address =
                    reactor.listen(TestReactor.loopback(0), AcceptMode.REUSEPORT_CPU, () -> NAMES_THREAD);
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            String words = log.warnings().get(0);
            assertTrue(words.contains("EPERM") && words.contains("seccomp"), words);
            assertTrue(words.endsWith("spread by the hash of their addresses"), words);
            client(address).send("?").readToEnd();
        }
    }

    @Test
    void portOfAnotherServerIsSharedWithItButNotSteered() throws Exception {
        SocketAddress theirs =
                start(saying(false, 0, 1)).listen(TestReactor.loopback(0), AcceptMode.REUSEPORT, () -> NAMES_THREAD);
        try (LogCapture log = new LogCapture(SocketBackend.class)) {
            kernel = refusing(Sockets.SO_ATTACH_REUSEPORT_CBPF, Errno.EIO); // nobody is to ask
            start(saying(false, 0, 1)).listen(theirs, AcceptMode.REUSEPORT_CPU, () -> NAMES_THREAD);
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            String words = log.warnings().get(0);
            assertTrue(words.contains("another server listens at this port already"), words);
            assertTrue(words.endsWith("spread by the hash of their addresses"), words);
        }
        client(theirs).send("?").readToEnd();
        TestReactor strict = start(saying(true, 0, 1));
        IOException refused = assertThrows(
                IOException.class, () -> strict.listen(theirs, AcceptMode.REUSEPORT_CPU, () -> NAMES_THREAD));
        assertTrue(refused.getMessage().contains("another server listens at this port"), refused::getMessage);
        Await.until("no listener is left", () -> strict.handleCount() == 0);
    }

    @Test
    void portThatNobodyHasIsSteeredThoughItWasNamed() throws Exception {
        TestReactor reactor = start(saying(true, 0, 1)); // which would refuse
        client(listenAtAPortThatIsNamed(reactor)).send("?").readToEnd();
    }

    /** Between the search for a port and its use, somebody else on this machine may take it. */
    private SocketAddress listenAtAPortThatIsNamed(TestReactor reactor) throws IOException {
        for (int attempt = 1; ; attempt++) {
            SocketAddress free;
            try (ServerSocket chosen = new ServerSocket()) {
                chosen.bind(TestReactor.loopback(0));
                free = chosen.getLocalSocketAddress();
            }
            try {
                return reactor.listen(free, AcceptMode.REUSEPORT_CPU, () -> NAMES_THREAD);
            } catch (IOException taken) {
                if (attempt == ATTEMPTS_MAX) {
                    throw taken;
                }
            }
        }
    }

    @Test
    void strictPlacementRefusesToListenInstead() throws Exception {
        kernel = refusing(Sockets.SO_ATTACH_REUSEPORT_CBPF, Errno.ENOPROTOOPT);
        TestReactor reactor = start(saying(true, 0, 1));
        IOException refused = assertThrows(
                IOException.class,
                () -> reactor.listen(TestReactor.loopback(0), AcceptMode.REUSEPORT_CPU, () -> NAMES_THREAD));
        assertTrue(refused.getMessage().contains("Linux 4.5"), refused::getMessage);
        Await.until("no listener is left", () -> reactor.handleCount() == 0);
    }

    @Test
    void withoutTheIncomingCpuTheLeastLoadedServes() throws Exception {
        kernel = refusing(Sockets.SO_INCOMING_CPU, Errno.ENOPROTOOPT);
        TestReactor reactor = start(saying(false, 0, 0));
        SocketAddress address = reactor.listen(TestReactor.loopback(0), AcceptMode.DISPATCH_CPU, () -> NAMES_THREAD);
        client(address).send("?").readToEnd();
        assertEquals(1, reactor.failureCount(), "said once");
    }
}
