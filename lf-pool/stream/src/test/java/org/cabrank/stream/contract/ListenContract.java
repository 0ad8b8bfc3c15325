package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of a listener: limits of its connections, in number and in time. */
public abstract class ListenContract extends StreamContract {
    /** Enough that the kernel's hash of their addresses spares neither of two sockets. */
    private static final int SPREAD_CLIENTS = 40;

    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private static SocketAddress listen(TestReactor reactor, ListenOptions options) throws IOException {
        return reactor.listen(options, () -> ECHO);
    }

    private TestClient served(SocketAddress address) throws IOException {
        return client(address).send("x").expect("x");
    }

    private void refused(SocketAddress address) throws IOException {
        refused(closing(SocketChannel.open()), address);
    }

    /** The reset may come before connect returns. */
    private void refused(SocketChannel channel, SocketAddress address) throws IOException {
        try {
            channel.connect(address);
        } catch (SocketException early) {
            assertTrue(early.getMessage().contains("reset"), early::toString);
            return;
        }
        TestClient.of(channel).expectReset();
    }

    @Test
    void connectionsBeyondTheLimitAreResetUntilOneHasEnded() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        SocketAddress address = listen(reactor, ListenOptions.DEFAULT.withConnectionsMax(2));
        SocketAddress other = listen(reactor, ListenOptions.DEFAULT.withConnectionsMax(1));
        TestClient first = served(address);
        served(address);
        refused(address);
        refused(address);
        served(other);
        assertEquals(2, reactor.reactor().counters().overLimit());
        first.close();
        reactor.awaitClosed(1);
        served(address);
        assertEquals(2, reactor.reactor().counters().overLimit());
    }

    private SocketChannel channelFrom(int lastByte) throws IOException {
        SocketChannel channel = closing(SocketChannel.open());
        return channel.bind(
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) lastByte}), 0));
    }

    private TestClient connectFrom(int lastByte, SocketAddress address) throws IOException {
        SocketChannel channel = channelFrom(lastByte);
        channel.connect(address);
        return closing(TestClient.of(channel));
    }

    @Test
    void connectionsOfOnePeerBeyondItsLimitAreResetAndThoseOfOthersServed() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.reactor()
                .listen(
                        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0),
                        ListenOptions.DEFAULT.withConnectionsPerPeerMax(1),
                        () -> ECHO)
                .address();
        connectFrom(2, address).send("x").expect("x");
        refused(channelFrom(2), address);
        TestClient other = connectFrom(3, address).send("y").expect("y");
        other.close();
        reactor.awaitClosed(1);
        connectFrom(3, address).send("z").expect("z");
    }

    @Test
    void peersAtUnixAddressesAreCountedInAllOnly(@TempDir Path directory) throws Exception {
        TestReactor reactor = start();
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("echo"));
        ListenOptions options = ListenOptions.DEFAULT.withConnectionsMax(2).withConnectionsPerPeerMax(1);
        reactor.reactor().listen(address, options, () -> ECHO);
        served(address);
        served(address);
        TestClient third = client(address);
        assertEquals(-1, third.channel().read(ByteBuffer.allocate(1)), "a Unix socket knows no reset");
        assertEquals(1, reactor.reactor().counters().overLimit());
    }

    /** As two processes do while one takes over from the other. */
    @Test
    void reactorsOfOneShardShareAPortIfBothAskForIt() throws Exception {
        ListenOptions shared = ListenOptions.DEFAULT.withAcceptMode(AcceptMode.REUSEPORT);
        TestReactor former = start();
        TestReactor next = start();
        SocketAddress address = former.reactor()
                .listen(TestReactor.loopback(0), shared, () -> ECHO)
                .address();
        next.reactor().listen(address, shared, () -> ECHO);
        for (int i = 0; i < SPREAD_CLIENTS; i++) {
            served(address);
        }
        assertTrue(former.reactor().counters().opened() > 0, "the former serves none");
        assertTrue(next.reactor().counters().opened() > 0, "the next serves none");
        IOException refused = assertThrows(
                IOException.class, () -> start().reactor().listen(address, ListenOptions.DEFAULT, () -> ECHO));
        assertTrue(refused.getMessage().contains("EADDRINUSE"), refused::getMessage);
    }

    @Test
    void listenersHaveTimeoutsOfTheirOwn() throws Exception {
        TestReactor reactor = start();
        Recorder lasting = new Recorder(ECHO);
        Recorder brief = new Recorder(ECHO);
        TestClient client = client(reactor.listen(ListenOptions.DEFAULT, () -> lasting));
        client(reactor.listen(
                        ListenOptions.DEFAULT.withTimeouts(StreamTimeouts.DEFAULT.withIdle(idleTime(30))), () -> brief))
                .expectEnd();
        assertInstanceOf(IdleTimeoutException.class, brief.awaitClosed());
        assertFalse(lasting.isClosed());
        client.send("x").expect("x");
    }
}
