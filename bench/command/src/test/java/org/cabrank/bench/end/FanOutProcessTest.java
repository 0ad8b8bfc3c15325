package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.bench.cli.CapturedCommand;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.text.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cabrank serve udp-fanout} in a process of its own, under {@code cabrank load --fan-out}. */
@NewestJdk
@Timeout(300)
final class FanOutProcessTest {
    private static final int SLOWEST_FEED_S = 16;

    private static final String GROUP = "239.1.2.";
    private static final int PATIENCE_MS = 120_000;
    private static final int DATAGRAM_BYTES = 1_000;
    private static final int DATAGRAMS_MAX = 200_000;

    private static int freePort() throws SocketException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static ServeProcess start(String options, String... groups) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("udp-fanout", "--listen", "127.0.0.1:0"));
        for (String group : groups) {
            arguments.addAll(List.of("--group", group));
        }
        arguments.addAll(List.of(options.split(" ")));
        return ServeProcess.start(null, arguments.toArray(String[]::new));
    }

    @InSoak
    @ParameterizedTest
    @CsvSource({
        "--backend epoll --threads-per-shard 2, drop-oldest",
        "--backend iouring --shards 2, drop-newest",
    })
    void fastSubscribersLoseNothingBesideAStalledOne(String options, String policy) throws Exception {
        String group = GROUP + "10:" + freePort();
        try (ServeProcess server = start(options + " --queue 512k --slow " + policy, group)) {
            CapturedCommand load = feed(server, group);
            assertEquals(0, load.status(), load::err);
            assertTrue(load.out().contains(" frames, lost 0 (0.000 %), reordered 0"), load::out);
            assertTrue(load.out().contains("datagram due to frame read p50 "), load::out);
            assertTrue(load.out().contains("resident memory of process " + server.pid() + ": "), load::out);
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
            server.awaitError("dropped by the kernel 0, passed on ");
            String said = server.errors();
            assertTrue(said.contains("dropped from queues (" + policy + ") "), said);
            assertTrue(said.contains("largest queue 52"), said); // the stalled one's is full: up to 524,288 bytes
            assertTrue(!said.contains("dropped from queues (" + policy + ") 0,"), said);
        }
    }

    /**
     * Sends 2,000 datagrams in all. On a machine that gives a process no CPU for a tenth of a second, the buffers of a fast subscriber
     * overflow as well; so a feed that lost something is sent again more slowly.
     */
    private static CapturedCommand feed(ServeProcess server, String group) throws Exception {
        CapturedCommand load = null;
        for (int seconds = 1; seconds <= SLOWEST_FEED_S && (load == null || load.status() != 0); seconds *= 4) {
            load = CapturedCommand.run(
                    "load",
                    "--udp",
                    group,
                    "--interface",
                    "lo",
                    "--rate",
                    Integer.toString(2_000 / seconds),
                    "--burst",
                    "4",
                    "--size",
                    "2000",
                    "--warmup",
                    "200ms",
                    "--duration",
                    seconds + "s",
                    "--fan-out",
                    server.address().toString(),
                    "--subscribers",
                    "3",
                    "--stalled",
                    "1",
                    "--pid",
                    Long.toString(server.pid()));
        }
        return load;
    }

    @Test
    void aSlowSubscriberIsDisconnectedIfThatIsItsOutcome() throws Exception {
        InetSocketAddress group = new InetSocketAddress(InetAddress.getByName(GROUP + "11"), freePort());
        try (ServeProcess server = start("--backend epoll --queue 128k --slow disconnect", HostPort.format(group));
                MulticastSocket sender = new MulticastSocket();
                Socket slow = new Socket()) {
            slow.setReceiveBufferSize(1_024);
            slow.connect(server.address().resolve());
            slow.setSoTimeout(PATIENCE_MS);
            sender.setNetworkInterface(NetworkInterface.getByName("lo"));
            long refused = 0;
            for (int i = 0; i < DATAGRAMS_MAX && refused == 0; i++) {
                sender.send(new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES, group));
                refused = i % 100 == 0 && isReset(slow) ? 1 : 0;
            }
            assertEquals(1, refused);
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
            server.awaitError("subscribers disconnected 1, ");
        }
    }

    /** Sends a byte, which the gateway drops: after a reset the send fails. */
    private static boolean isReset(Socket socket) {
        try {
            socket.getOutputStream().write(0);
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void severalGroupsAreToldApartAndTheRestOfTheQueueIsSentBeforeTheEnd() throws Exception {
        int port = freePort();
        List<InetSocketAddress> groups = List.of(
                new InetSocketAddress(InetAddress.getByName(GROUP + "12"), port),
                new InetSocketAddress(InetAddress.getByName(GROUP + "13"), port),
                new InetSocketAddress(InetAddress.getByName(GROUP + "12"), freePort()));
        try (ServeProcess server = start(
                        "--backend iouring",
                        groups.stream().map(HostPort::format).toArray(String[]::new));
                MulticastSocket sender = new MulticastSocket();
                Socket subscriber = new Socket()) {
            subscriber.connect(server.address().resolve());
            subscriber.setSoTimeout(PATIENCE_MS);
            sender.setNetworkInterface(NetworkInterface.getByName("lo"));
            DataInputStream in = new DataInputStream(subscriber.getInputStream());
            awaitFirst(sender, groups.get(0), in);
            for (int i = 0; i < groups.size(); i++) {
                sender.send(new DatagramPacket(new byte[] {(byte) i}, 1, groups.get(i)));
            }
            server.interrupt();
            List<Integer> received = new ArrayList<>();
            try {
                while (true) {
                    assertEquals(3, in.readInt());
                    int group = in.readShort();
                    int sent = in.readByte();
                    if (sent >= 0) {
                        assertEquals(sent, group);
                        received.add(sent);
                    }
                }
            } catch (EOFException end) {
                received.sort(null);
                assertEquals(List.of(0, 1, 2), received);
            }
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    /** Sends until the first frame comes: the gateway serves the connection. */
    private static void awaitFirst(MulticastSocket sender, InetSocketAddress group, DataInputStream in)
            throws IOException {
        while (in.available() == 0) {
            sender.send(new DatagramPacket(new byte[] {-1}, 1, group));
            LockSupport.parkNanos(1_000_000);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --group 127.0.0.1:5000 | --group 127.0.0.1:5000: expected a multicast address
                    --group 239.1.2.3:5000 --group 239.1.2.3:5000 | is named twice: leave one out
                    --group 239.1.2.3:5000 --interface none0 | --interface: there is no network interface 'none0'
                    --group 239.1.2.3:5000 --queue 1k | --queue must be from 128k to 1g, but is 1024
                    --group 239.1.2.3:5000 --slow wait | expected one of drop-oldest, drop-newest, disconnect
                    --group 239.1.2.3:5000 --metrics 127.0.0.1:0 | --metrics is not for udp-fanout: leave it out
                    --queue 1m | Missing required option: '--group=ADDRESS:PORT'
                    """)
    void wrongFlagsAreRefused(String options, String message) {
        List<String> arguments = new ArrayList<>(List.of("serve", "udp-fanout"));
        arguments.addAll(List.of(options.split(" ")));
        CapturedCommand serve = CapturedCommand.run(arguments.toArray(String[]::new));
        assertEquals(2, serve.status());
        assertTrue(serve.err().contains(message), serve::err);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --fan-out 127.0.0.1:9 | --fan-out needs --rate
                    --rate 10 --stalled 2 | --subscribers, --stalled and --pid are for --fan-out
                    --rate 10 --fan-out 127.0.0.1:9 --subscribers 0 | expected at least 1 and 0
                    """)
    void wrongFlagsOfTheLoadAreRefused(String options, String message) {
        List<String> arguments = new ArrayList<>(List.of("load", "--udp", "239.1.2.3:9"));
        arguments.addAll(List.of(options.split(" ")));
        CapturedCommand load = CapturedCommand.run(arguments.toArray(String[]::new));
        assertEquals(2, load.status());
        assertTrue(load.err().contains(message), load::err);
    }
}
