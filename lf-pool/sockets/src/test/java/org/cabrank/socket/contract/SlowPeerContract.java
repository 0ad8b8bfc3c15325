package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Peers that take what the socket has taken long before. No test depends on time: the peer reads a piece whenever the reactor looks at
 * the socket's buffer, and nothing else.
 */
public abstract class SlowPeerContract extends StreamContract {
    private static final Duration TIMEOUT = Duration.ofMillis(40);
    private static final int PIECE = 64 << 10;
    private static final byte[] ANSWER = new byte[16 * PIECE];
    private static final int RECEIVE_BUFFER = 16 << 10;

    static {
        new Random(1).nextBytes(ANSWER);
    }

    /** Runs {@link #onLook} before the kernel is asked for what the peer has not taken. */
    private final class LookedAtKernel extends ForwardingKernel {
        LookedAtKernel(Kernel next) {
            super(next);
        }

        @Override
        public int ioctl(int fd, long request, long argument) {
            if (request == Sockets.SIOCOUTQ) {
                onLook.run();
            }
            return super.ioctl(fd, request, argument);
        }
    }

    private final Kernel kernel = new LookedAtKernel(TestKernel.any());
    private volatile Runnable onLook = () -> {};
    private SocketChannel peer;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    /** The kernel of the mode. */
    protected final Kernel kernel() {
        return kernel;
    }

    private Recorder serve(String family, StreamTimeouts timeouts, ConnectionHandler handler) throws Exception {
        TestReactor reactor = start(StreamReactor.builder()
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2L * ANSWER.length))
                .timeouts(timeouts));
        Recorder recorder = new Recorder(handler);
        boolean unix = family.equals("Unix");
        SocketAddress address = unix
                ? reactor.listen(
                        UnixDomainSocketAddress.of(directory.resolve("s")), AcceptMode.EXCLUSIVE, () -> recorder)
                : reactor.listen(recorder);
        peer = SocketChannel.open(unix ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET);
        if (!unix) {
            peer.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
        }
        peer.connect(address);
        peer.configureBlocking(false);
        peer.write(ByteBuffer.wrap(new byte[1]));
        return recorder;
    }

    @AfterEach
    void closeThePeer() throws IOException {
        if (peer != null) {
            peer.close();
        }
    }

    /** Takes a piece of the answer, and then its end. */
    private void takeAPiece() {
        try {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            while (piece.hasRemaining() && peer.isOpen() && peer.read(piece) > 0) {
                // the next part
            }
            received.write(piece.array(), 0, piece.position());
            if (received.size() == ANSWER.length) {
                peer.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(Connection connection, ByteBuffer data) {
        data.position(data.limit());
        connection.write(ByteBuffer.wrap(ANSWER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCP", "Unix"})
    void peerThatReadsSteadilyGetsAllAfterTheCloseHoweverLongThatTakes(String family) throws Exception {
        onLook = this::takeAPiece;
        StreamTimeouts timeouts = StreamTimeouts.DEFAULT.withClose(TIMEOUT).withCloseTotal(StreamTimeouts.NEVER);
        Recorder recorder = serve(family, timeouts, (connection, data) -> {
            answer(connection, data);
            connection.close();
        });
        assertNull(recorder.awaitClosed());
        assertArrayEquals(ANSWER, received.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCP", "Unix"})
    void connectionIsNotIdleWhileThePeerTakesWhatTheSocketHasTaken(String family) throws Exception {
        onLook = () -> {
            if (received.size() < ANSWER.length - PIECE) { // the last piece is left: its end would close the connection
                takeAPiece();
            }
        };
        Recorder recorder = serve(family, StreamTimeouts.DEFAULT.withIdle(TIMEOUT), SlowPeerContract::answer);
        assertInstanceOf(IdleTimeoutException.class, recorder.awaitClosed());
        assertTrue(received.size() >= ANSWER.length - PIECE, received.size() + " bytes");
    }

    @Test
    void peerThatStandsStillIsResetAndTheHandlerHearsOfTheLossThoughTheSocketHasTakenAll() throws Exception {
        Recorder recorder = serve("TCP", StreamTimeouts.DEFAULT.withClose(TIMEOUT), (connection, data) -> {
            answer(connection, data);
            connection.close();
        });
        Throwable cause = recorder.awaitClosed();
        assertInstanceOf(IOException.class, cause);
        assertTrue(cause.getMessage().contains("the peer has not taken the last "), cause::getMessage);
    }
}
