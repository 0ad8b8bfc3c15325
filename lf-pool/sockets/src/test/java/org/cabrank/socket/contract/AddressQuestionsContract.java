package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;

/** System calls for the addresses of accepted connections: their number, and the addresses that the service gets. */
public abstract class AddressQuestionsContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);
    private static final InetSocketAddress ANY = new InetSocketAddress("0.0.0.0", 0);

    private final FaultyKernel kernel = new FaultyKernel(TestKernel.any());

    /** The kernel of the mode, which must have two shards. */
    protected final Kernel kernel() {
        return kernel;
    }

    /** True if the peer's address comes with each connection, without a call of its own. */
    protected abstract boolean peersComeWithConnections();

    private static TestClient clientOf(SocketAddress listening) throws Exception {
        return TestClient.connect(TestReactor.loopback(((InetSocketAddress) listening).getPort()));
    }

    private void assertCalls(int peers, int own) {
        assertEquals(peers, kernel.calls("getpeername"), "getpeername");
        assertEquals(own, kernel.calls("getsockname"), "getsockname");
    }

    private int questionsForPeer() {
        return peersComeWithConnections() ? 0 : 1;
    }

    @Test
    void theKernelIsAskedOnceIfTheServiceAsks() throws Exception {
        Recorder recorder = new Recorder(ECHO);
        SocketAddress listening = start().listen(ANY, AcceptMode.EXCLUSIVE, () -> recorder);
        int before = kernel.calls("getsockname");
        TestClient client = closing(clientOf(listening)).send("x").expect("x");
        Connection connection = recorder.connection();
        assertCalls(0, before);
        for (int i = 0; i < 2; i++) {
            assertEquals(client.channel().getLocalAddress(), connection.remoteAddress());
            assertEquals(client.channel().getRemoteAddress(), connection.localAddress());
        }
        assertCalls(questionsForPeer(), before + 1);
        SocketAddress remote = client.channel().getLocalAddress();
        SocketAddress local = client.channel().getRemoteAddress();
        client.reset();
        recorder.awaitClosed();
        assertEquals(remote, connection.remoteAddress());
        assertEquals(local, connection.localAddress());
        assertCalls(questionsForPeer(), before + 1);
    }

    @Test
    void theKernelIsAskedOnceForAnAcceptor() throws Exception {
        Recorder recorder = new Recorder(ECHO);
        SocketAddress listening =
                start().listener(ANY, (remote, local) -> recorder).address();
        int before = kernel.calls("getsockname");
        TestClient client = closing(clientOf(listening)).send("x").expect("x");
        assertCalls(questionsForPeer(), before + 1);
        assertEquals(client.channel().getLocalAddress(), recorder.connection().remoteAddress());
        assertEquals(client.channel().getRemoteAddress(), recorder.connection().localAddress());
        assertCalls(questionsForPeer(), before + 1);
    }

    /** Records the peer's address of each connection after its end. */
    private static final class LateAsker implements ConnectionHandler {
        private final List<SocketAddress> peers = new CopyOnWriteArrayList<>();
        private final List<SocketAddress> own = new CopyOnWriteArrayList<>();

        @Override
        public void data(Connection connection, ByteBuffer data) {
            connection.write(data);
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            own.add(connection.localAddress());
            peers.add(connection.remoteAddress());
        }
    }

    @Test
    void peersAreKnownAfterOneLateQuestion() throws Exception {
        LateAsker asker = new LateAsker();
        SocketAddress listening = start().listen(ANY, AcceptMode.EXCLUSIVE, () -> asker);
        for (int number = 1; number <= 3; number++) {
            int ended = number;
            TestClient client = closing(clientOf(listening)).send("x").expect("x");
            SocketAddress peer = client.channel().getLocalAddress();
            client.reset();
            Await.until("connection " + number + " is closed", () -> asker.peers.size() == ended);
            SocketAddress unknown = new InetSocketAddress("0.0.0.0", 0);
            boolean known = peersComeWithConnections() || number > 1;
            assertEquals(known ? peer : unknown, asker.peers.get(number - 1));
            assertEquals(listening, asker.own.get(number - 1));
        }
    }

    @Test
    void peersThatAreCountedAreAskedFor() throws Exception {
        TestReactor reactor = start();
        SocketAddress listening = reactor.listen(ListenOptions.DEFAULT.withConnectionsPerPeerMax(1), () -> ECHO);
        TestClient client = closing(clientOf(listening)).send("x").expect("x");
        closing(clientOf(listening)).expectReset();
        client.endOutput().expectEnd();
        reactor.awaitClosed(1);
        closing(clientOf(listening)).send("y").expect("y");
        assertEquals(3 * questionsForPeer(), kernel.calls("getpeername"));
    }

    @Test
    void movedConnectionKnowsItsAddresses() throws Exception {
        Recorder recorder = new Recorder(ECHO);
        SocketAddress listening = start().listen(ANY, AcceptMode.EXCLUSIVE, () -> recorder);
        TestClient client = closing(clientOf(listening)).send("x").expect("x");
        Connection connection = recorder.connection();
        connection.moveTo(1 - connection.shard()).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertEquals(client.channel().getLocalAddress(), connection.remoteAddress());
        assertEquals(client.channel().getRemoteAddress(), connection.localAddress());
    }
}
