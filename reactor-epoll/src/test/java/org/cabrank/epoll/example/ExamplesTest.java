package org.cabrank.epoll.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.socket.contract.ChildJvm;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples for users work. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ExamplesTest {
    @TempDir
    Path dir;

    static List<TestKernel> kernels() {
        return TestKernel.all();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void eventfdAndTimerfdAreCounted(TestKernel kernel) throws Exception {
        assertEquals(5_050, new EventfdExample(kernel.kernel()).run(100));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void settingsAreLoadedAnew(TestKernel kernel) throws Exception {
        Path file = Files.writeString(dir.resolve("settings"), "one");
        try (InotifyExample example = new InotifyExample(kernel.kernel(), file)) {
            assertEquals("one", example.loaded().poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            Path next = Files.writeString(dir.resolve("settings.new"), "two");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            assertEquals("two", example.loaded().poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void urgentJobsAreDoneFirst(TestKernel kernel) throws Exception {
        int result = kernel.kernel().mqUnlink(kernel.kernel().addressOf(ByteBuffer.allocateDirect(1)));
        assumeTrue(result != -Errno.ENOSYS, "the kernel has no message queues");
        String name = "/cabrank-example-" + ProcessHandle.current().pid();
        assertEquals(
                List.of("put out the fire", "sweep", "water the plants"),
                new MessageQueueExample().run(kernel.kernel(), name));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void linesComeOutInCapitals(TestKernel kernel) throws Exception {
        Path fifo = dir.resolve("fifo");
        Kernel chosen = kernel.kernel(); // here, because only the test's own thread can skip the test
        CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> {
            try {
                return PipeExample.run(chosen, fifo);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        Await.until("the pipe is there", () -> Files.exists(fifo) || result.isDone());
        Files.writeString(fifo, "hello\nwor");
        Files.writeString(fifo, "ld\nend\n");
        assertEquals("HELLO\nWORLD\n", result.get());
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void everyTaskIsRunByThePool(TestKernel kernel) throws Exception {
        assertEquals(50_005_000, TaskQueueExample.run(kernel.kernel(), 10_000));
    }

    @Test
    void everyHandlerReceivesTheTicksOfATimer() throws Exception {
        try (TimersExample example = new TimersExample(Duration.ofMillis(1));
                TestClient one = TestClient.connect(example.server().localAddress());
                TestClient other = TestClient.connect(example.server().localAddress())) {
            one.expect("tick\ntick\ntick\n");
            other.expect("tick\ntick\ntick\n");
        }
    }

    @Test
    void serviceReportsOnASignalAndEndsOnAnother() throws Exception {
        assumeTrue(ChildJvm.signalsCanBeBlocked(), "env(1) has no --block-signal: it is older than coreutils 8.31");
        TestKernel kernel = TestKernel.anyTestKernel();
        try (ChildJvm child = new ChildJvm(kernel, List.of("USR1", "WINCH"), List.of(), SignalExample.class)) {
            assertEquals("ready", child.line());
            long sender = child.signal(Events.SIGUSR1);
            assertTrue(child.line().startsWith("process " + sender + " asks: PoolCounters["));
            child.signal(Events.SIGWINCH);
            assertEquals(0, child.end());
        }
    }

    @Test
    void anotherProcessServesWithTheSocketThatIsHandedOver() throws Exception {
        TestKernel testKernel = TestKernel.anyTestKernel();
        Kernel kernel = testKernel.kernel();
        SocketOps sockets = new SocketOps(kernel);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        int listening = Errno.check("socket", sockets.streamSocket(any));
        Errno.check("bind", sockets.bind(listening, any));
        Errno.check("listen", kernel.listen(listening, Sockets.SOMAXCONN));
        SocketAddress address = sockets.localAddress(listening);
        String name = "cabrank-handover-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        try (StreamReactor reactor = StreamReactor.builder().start();
                TestClient waiting = TestClient.connect(address)) {
            long uid = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            SocketHandoverExample.offer(reactor, new AbstractUnixAddress(name), listening, uid);
            try (ChildJvm child = new ChildJvm(testKernel, List.of(), List.of(), SocketHandoverExample.class, name)) {
                assertEquals("listening on " + address, child.line());
                kernel.close(listening); // the child has one of its own
                waiting.send("x").expect("x").endOutput().expectEnd();
                try (TestClient later = TestClient.connect(address)) {
                    later.send("y").expect("y");
                    assertEquals(0, child.end());
                    later.expectEnd();
                }
            }
        }
    }

    @Test
    void quotesReachTheSubscribersOfAGroup() throws Exception {
        NetworkInterface via = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        try (MulticastExample example = new MulticastExample(InetAddress.getByName("239.255.3.4"), via)) {
            assertTrue(example.publish("XS 100.25"));
            assertTrue(example.publish("XS 100.50"));
            assertEquals("XS 100.25", example.quotes().poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertEquals("XS 100.50", example.quotes().poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
    }

    @Test
    void groupsOfAFeedAreDistinguished() throws Exception {
        NetworkInterface via = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        InetAddress trades = InetAddress.getByName("239.255.4.1");
        InetAddress quotes = InetAddress.getByName("239.255.4.2");
        try (FeedExample example = new FeedExample(trades, quotes, via)) {
            assertEquals(40, example.publish(trades, 40));
            assertEquals(70, example.publish(quotes, 70));
            Await.until("all updates have come", () -> example.trades() + example.quotes() + example.dropped() == 110);
            assertEquals(40 + 70 - example.dropped(), example.trades() + example.quotes());
            assertTrue(example.trades() > 0 && example.quotes() > 0);
            assertEquals("feed", example.ages().name());
        }
    }

    @Test
    void flowStaysInOneShard() throws Exception {
        try (SteeringExample example = new SteeringExample(2);
                DatagramSocket client = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            for (int flow : new int[] {7, 8, 7, 9}) {
                byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(flow).array();
                client.send(new DatagramPacket(bytes, bytes.length, example.address()));
            }
            Await.until("all have come", () -> example.datagramsOf(0) + example.datagramsOf(1) == 4);
            assertEquals(1, example.datagramsOf(0));
        }
    }

    @Test
    void datagramsAreAnswered() throws Exception {
        try (DatagramEchoExample example = new DatagramEchoExample();
                DatagramSocket client = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            client.setSoTimeout((int) (Await.PATIENCE_NS / 1_000_000));
            byte[] bytes = "as in the example".getBytes(StandardCharsets.US_ASCII);
            client.send(new DatagramPacket(bytes, bytes.length, example.address()));
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            client.receive(answer);
            assertArrayEquals(bytes, Arrays.copyOf(answer.getData(), answer.getLength()));
        }
    }
}
