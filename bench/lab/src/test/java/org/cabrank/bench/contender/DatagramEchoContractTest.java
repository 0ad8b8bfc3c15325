package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.load.datagram.DatagramGenerator;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.load.datagram.DatagramResult;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of all contenders as servers of datagrams. Each server is started once, and all tests but that of its end use it. */
@NewestJdk
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("servers")
@Timeout(300)
final class DatagramEchoContractTest {

    private static final int ANSWER_TIMEOUT_MS = 500;
    private static final int TRIES_MAX = 40;
    private static final int FLOWS = 100;
    private static final int WINDOW = 32;
    private static final long RUN_NS = 20_000_000L;

    private static RunningServer server;

    private final String name;
    private final Protocol protocol;

    DatagramEchoContractTest(String name, Protocol protocol) {
        this.name = name;
        this.protocol = protocol;
    }

    static Stream<Arguments> servers() {
        return Stream.of(Protocol.DATAGRAMS, Protocol.DATAGRAM_SEGMENTS)
                .flatMap(protocol -> Contenders.forDatagrams().stream()
                        .filter(contender -> contender.serves(protocol))
                        .map(contender -> Arguments.of(contender.name(), protocol)));
    }

    @BeforeParameterizedClassInvocation
    static void start(String name, Protocol protocol) throws Exception {
        server = Servers.start(name, Servers.settings(protocol));
    }

    @AfterParameterizedClassInvocation
    static void end() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Test
    void datagramsOfEverySizeComeBackByteForByte() throws Exception {
        try (Flow flow = new Flow(server.address())) {
            for (int size : new int[] {1, 64, 1_200, 1_472, ContenderSockets.DATAGRAM_BYTES}) {
                assertAnswered(flow, bytes(size));
            }
        }
    }

    /** Netty over epoll leaves out empty datagrams when it sends. */
    @Test
    void anEmptyDatagramComesBackEmpty() throws Exception {
        try (Flow flow = new Flow(server.address())) {
            if (name.equals("netty-epoll")) {
                flow.send(new byte[0]);
            } else {
                assertAnswered(flow, new byte[0]);
            }
            assertAnswered(flow, bytes(64));
        }
    }

    @Test
    void eachOfManyFlowsGetsItsOwnDatagrams() throws Exception {
        List<Flow> flows = new ArrayList<>();
        try {
            for (int i = 0; i < FLOWS; i++) {
                Flow flow = new Flow(server.address());
                flows.add(flow);
                flow.send(bytes(64 + i));
            }
            for (int i = 0; i < FLOWS; i++) {
                assertHasAnswer(flows.get(i), bytes(64 + i));
            }
        } finally {
            for (Flow flow : flows) {
                flow.close();
            }
        }
    }

    @Test
    void datagramsUnderWayTogetherComeBackOnceEach() throws Exception {
        try (Flow flow = new Flow(server.address())) {
            Set<List<Byte>> sent = new HashSet<>();
            for (int i = 0; i < WINDOW; i++) {
                byte[] bytes = bytes(100 + i);
                sent.add(list(bytes));
                flow.send(bytes);
            }
            Set<List<Byte>> received = new HashSet<>();
            for (int i = 0; i < WINDOW; i++) {
                byte[] answer = flow.receive();
                assertNotNull(answer, "lost, on a socket with room for all");
                assertTrue(received.add(list(answer)), "twice");
            }
            assertEquals(sent, received);
        }
    }

    @Test
    void aLoadOfTwoSizesIsAnswered() throws Exception {
        for (int size : new int[] {64, 1_200}) {
            DatagramLoad load = DatagramLoad.closedLoop(server.address(), size, 4, 8)
                    .withSegments(protocol == Protocol.DATAGRAM_SEGMENTS);
            DatagramResult result;
            int tries = 0;
            do { // a busy machine answers nobody for a while
                result = DatagramGenerator.measure(Kernels.system(), load, 0, RUN_NS);
                tries++;
            } while (result.received() == 0 && tries < TRIES_MAX);
            assertTrue(result.received() > 0, result.toString());
            assertEquals(
                    0, result.wrong() + result.duplicated() + result.errors().size(), result.toString());
        }
    }

    @Test
    void aServerThatEndsFreesItsPortAndAnotherStarts() throws Exception {
        InetSocketAddress address;
        try (RunningServer first = Servers.start(name, Servers.settings(protocol))) {
            address = first.address();
            assertAnsweredBy(first);
        }
        new DatagramSocket(address).close();
        try (RunningServer second = Servers.start(name, Servers.settings(protocol))) {
            assertAnsweredBy(second);
        }
    }

    private static void assertAnsweredBy(RunningServer running) throws IOException {
        try (Flow flow = new Flow(running.address())) {
            assertAnswered(flow, bytes(64));
        }
    }

    private static void assertAnswered(Flow flow, byte[] bytes) throws IOException {
        flow.send(bytes);
        assertHasAnswer(flow, bytes);
    }

    /** Sends again what may be lost on a machine that is busy. */
    private static void assertHasAnswer(Flow flow, byte[] bytes) throws IOException {
        byte[] answer = flow.receive();
        for (int i = 0; i < TRIES_MAX && answer == null; i++) {
            flow.send(bytes);
            answer = flow.receive();
        }
        assertArrayEquals(bytes, answer);
    }

    /** A socket of its own port. Not connected, because the JDK sends no empty datagrams from connected sockets. */
    private static final class Flow implements AutoCloseable {

        private final Selector selector = Selector.open();
        private final DatagramChannel channel = DatagramChannel.open();
        private final InetSocketAddress server;

        Flow(InetSocketAddress server) throws IOException {
            this.server = server;
            channel.bind(new InetSocketAddress(server.getAddress(), 0));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        }

        void send(byte[] bytes) throws IOException {
            channel.send(ByteBuffer.wrap(bytes), server);
        }

        /** Returns null if nothing comes in time. */
        byte[] receive() throws IOException {
            ByteBuffer room = ByteBuffer.allocate(2 * ContenderSockets.DATAGRAM_BYTES);
            selector.select(ANSWER_TIMEOUT_MS);
            selector.selectedKeys().clear();
            SocketAddress sender = channel.receive(room);
            if (sender == null) {
                return null;
            }
            assertEquals(server, sender);
            return Arrays.copyOf(room.array(), room.position());
        }

        @Override
        public void close() throws IOException {
            channel.close();
            selector.close();
        }
    }

    private static List<Byte> list(byte[] bytes) {
        List<Byte> list = new ArrayList<>();
        for (byte each : bytes) {
            list.add(each);
        }
        return list;
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }
}
