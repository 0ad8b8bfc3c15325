package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TCP_INFO of connections. */
public abstract class TcpInfoContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private static final int BYTES = 100_000;

    @Test
    void tcpInfoCountsWhatTheConnectionHasCarried() throws Exception {
        Recorder recorder = new Recorder(ECHO);
        TestClient client = client(serve(recorder));
        byte[] sent = randomBytes(BYTES, 1);
        client.send(sent);
        client.read(BYTES);
        Connection connection = recorder.connection();
        Await.until("the client has acknowledged", () -> infoOf(connection).unackedSegments() == 0);
        TcpInfo info = connection.tcpInfo();
        assertEquals(TcpInfo.State.ESTABLISHED, info.state());
        assertEquals(BYTES, info.bytesReceived());
        assertEquals(BYTES, info.bytesAcked());
        assertTrue(info.bytesSent() >= BYTES, info::toString);
        assertEquals(0, info.notsentBytes());
        assertTrue(info.rttUs() > 0 && info.rttUs() < 10_000_000, info::toString);
        assertTrue(info.minRttUs() <= info.rttUs() + info.rttvarUs() * 4, info::toString);
        assertTrue(info.sndMssBytes() >= 536 && info.sndMssBytes() <= 65_536, info::toString);
        assertTrue(info.sndCwndSegments() >= 2, info::toString);
        assertTrue(info.dataSegsIn() > 0 && info.dataSegsIn() <= info.segsIn(), info::toString);
        assertTrue(info.lastDataRecvMs() < TimeUnit.NANOSECONDS.toMillis(Await.PATIENCE_NS), info::toString);
        client.endOutput().expectEnd();
    }

    private static TcpInfo infoOf(Connection connection) {
        try {
            return connection.tcpInfo();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tcpInfoOfAConnectionThatThisSideMakesIsKnownInACallback() throws Exception {
        TestReactor reactor = start();
        CompletableFuture<TcpInfo> asked = new CompletableFuture<>();
        reactor.reactor().connect(reactor.listen(ECHO), new ConnectionHandler() {
            @Override
            public void opened(Connection connection) throws Exception {
                connection.write(Recorder.bytes("x"));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                data.get();
                asked.complete(connection.tcpInfo());
                connection.close();
            }
        });
        TcpInfo info = asked.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertEquals(1, info.bytesReceived());
        assertEquals(TcpInfo.State.ESTABLISHED, info.state());
    }

    @Test
    void closedConnectionAndUnixSocketHaveNoTcpInfo(@TempDir Path directory) throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(ECHO);
        client(reactor.listen(recorder)).send("x").expect("x").endOutput().expectEnd();
        recorder.awaitClosed();
        assertThrows(ClosedChannelException.class, recorder.connection()::tcpInfo);

        Recorder ofUnix = new Recorder(ECHO);
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("echo"));
        reactor.listen(address, AcceptMode.EXCLUSIVE, () -> ofUnix);
        client(address).send("x").expect("x");
        UnsupportedOperationException refused =
                assertThrows(UnsupportedOperationException.class, ofUnix.connection()::tcpInfo);
        assertTrue(refused.getMessage().contains("Unix socket"), refused::getMessage);
    }
}
