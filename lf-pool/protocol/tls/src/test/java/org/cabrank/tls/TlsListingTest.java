package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections of TLS in the lists of a reactor and its listeners, over each backend. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class TlsListingTest extends StreamContract {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("localhost");
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);
    private static final ConnectionHandler IGNORE = (connection, data) -> data.position(data.limit());

    private final Tls client;

    @Parameter
    ReactorMode mode;

    TlsListingTest() throws GeneralSecurityException {
        client = Tls.client(SelfSigned.trusting(CERTIFICATE.certificate()), "localhost", 443)
                .build();
    }

    static Stream<ReactorMode> modes() throws GeneralSecurityException {
        return TlsStreamTest.modes();
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    @Test
    void connectionsAreListedAsTheirHandlersHaveThem() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(ECHO);
        Listener listener = reactor.listener(ListenOptions.DEFAULT, () -> recorder);
        client(listener.address()).send("x").expect("x");
        List<Connection> listed = listener.connections();
        assertEquals(1, listed.size());
        assertInstanceOf(TlsConnection.class, listed.get(0));
        assertSame(recorder.connection(), listed.get(0));
        assertEquals(listed, reactor.reactor().connections());
    }

    /** A client of the JDK cannot tell an end without a close_notify from one with it, so the clients are those of this module. */
    @Test
    void connectionsThatMatchEndWithACloseNotify() throws Exception {
        TestReactor reactor = start();
        Listener listener = listen(reactor);
        Recorder closed = connect(reactor, listener.address());
        Recorder kept = connect(reactor, listener.address());
        SocketAddress peer = closed.connection().localAddress();
        assertEquals(
                1,
                listener.closeConnections(
                        connection -> connection.remoteAddress().equals(peer)));
        assertEndedWithACloseNotify(closed);
        Await.until("it has left", () -> listener.connections().size() == 1);
        assertFalse(kept.isClosed());
        assertEquals(1, listener.closeConnections(connection -> true));
        assertEndedWithACloseNotify(kept);
    }

    @Test
    void drainEndsWithACloseNotify() throws Exception {
        TestReactor server = start();
        TestReactor client = start();
        Recorder recorder = connect(client, listen(server).address());
        server.reactor().close();
        assertEndedWithACloseNotify(recorder);
    }

    private Listener listen(TestReactor reactor) throws Exception {
        Tls tls = Tls.server(CERTIFICATE.context()).build();
        return reactor.reactor().listen(TestReactor.loopback(0), ListenOptions.DEFAULT, tls.handlers(() -> ECHO));
    }

    /** Returns the recorder of a client whose connection stands at both sides. */
    private Recorder connect(TestReactor reactor, SocketAddress address) throws Exception {
        Recorder recorder = new Recorder(IGNORE);
        TlsConnection connection = client.connect(reactor.reactor(), address, ConnectOptions.DEFAULT, recorder)
                .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        connection.write(ByteBuffer.allocate(1));
        Await.until("the server has answered", () -> recorder.count("data") > 0);
        return recorder;
    }

    private void assertEndedWithACloseNotify(Recorder recorder) throws Exception {
        assertNull(recorder.awaitClosed());
        assertEquals(1, recorder.count("inputClosed"), recorder.calls()::toString);
        assertEquals(0, client.counters().truncations());
    }
}
