package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.bench.cli.CapturedCommand;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.load.datagram.DatagramGenerator;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.load.datagram.DatagramResult;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cabrank serve echo --udp} in a process of its own. */
@NewestJdk
@Timeout(300)
final class DatagramServeProcessTest {
    private static final long RUN_NS = 200_000_000L;
    private static final long PATIENCE_NS = 20_000_000_000L;
    private static final int LEFT = 200;

    private static ServeProcess start(String options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("echo", "--udp", "--listen", "127.0.0.1:0"));
        arguments.addAll(List.of(options.split(" ")));
        return ServeProcess.start(null, arguments.toArray(String[]::new));
    }

    static Stream<String> ways() {
        List<String> all = List.of(
                "--backend iouring --shards 2",
                "--backend epoll --threads-per-shard 3 --promotion eager",
                "--backend iouring --set datagram.batch=1");
        return Long.getLong("cabrank.soak.seconds") == null ? all.stream().limit(1) : all.stream();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void allDatagramsAreAnswered(String options) throws Exception {
        try (ServeProcess server = start(options)) {
            DatagramLoad load = DatagramLoad.closedLoop(server.address().resolve(), 200, 4, 8)
                    .withLossTimeout(PATIENCE_NS);
            DatagramGenerator generator = DatagramGenerator.start(Kernels.system(), load, () -> {});
            generator.beginMeasuring();
            assertEquals(DatagramGenerator.Start.ANSWERED, generator.awaitAnswer(PATIENCE_NS));
            generator.run(RUN_NS);
            DatagramResult result = generator.finish();
            assertEquals(Map.of(), result.errors());
            assertEquals(0, result.lost() + result.wrong() + result.duplicated());
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
            server.awaitError("answers refused by the kernel 0, failed 0, too long 0, dropped by the kernel 0");
        }
    }

    @Test
    void receivedDatagramsAreAnsweredBeforeTheEnd() throws Exception {
        try (ServeProcess server =
                        start("--backend epoll --slow-permille 1000 --slow-time 2ms --set datagram.batch=1");
                DatagramSocket client = new DatagramSocket()) {
            client.setSoTimeout((int) (PATIENCE_NS / 1_000_000));
            client.connect(server.address().resolve());
            for (int i = 0; i < LEFT; i++) {
                client.send(new DatagramPacket(new byte[] {(byte) i}, 1));
            }
            server.interrupt();
            server.awaitEnding();
            DatagramPacket answer = new DatagramPacket(new byte[2], 2);
            for (int i = 0; i < LEFT; i++) {
                client.receive(answer);
            }
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
            server.awaitError("received " + LEFT + " datagrams, answered " + LEFT + ",");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --udp --max-connections 3 | --max-connections is not for echo --udp: leave it out
                    --udp --tls self-signed | --tls is not for echo --udp
                    --udp --listen systemd | --udp opens its own sockets: name an address with --listen
                    --udp --set datagram.batch=1025 | batch must be from 1 to 1024, but is 1025
                    --set datagram.batch=8 | --set datagram.batch is not for serve echo: leave it out
                    """)
    void wrongFlagsAreRefused(String options, String message) {
        List<String> arguments = new ArrayList<>(List.of("serve", "echo"));
        arguments.addAll(List.of(options.split(" ")));
        CapturedCommand serve = CapturedCommand.run(arguments.toArray(String[]::new));
        assertEquals(2, serve.status());
        assertTrue(serve.err().contains(message), serve::err);
    }

    @Test
    void anAddressThatIsTakenIsRefused() throws Exception {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            CapturedCommand serve =
                    CapturedCommand.run("serve", "echo", "--udp", "--listen", "127.0.0.1:" + taken.getLocalPort());
            assertEquals(1, serve.status());
            assertTrue(serve.err().contains("EADDRINUSE"), serve::err);
        }
    }
}
