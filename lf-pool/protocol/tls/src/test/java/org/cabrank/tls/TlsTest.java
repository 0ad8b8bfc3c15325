package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class TlsTest {
    private static final SelfSigned SERVER = certificate("server.test", "other.test");
    private static final SelfSigned CLIENT = certificate("client.test");

    static SelfSigned certificate(String... hosts) {
        try {
            Instant now = Instant.now();
            return SelfSigned.of(now.minusSeconds(3600), now.plusSeconds(3600), hosts);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Returns the first message of a client. */
    static byte[] clientHello(SSLContext context) throws SSLException {
        SSLEngine engine = context.createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        engine.beginHandshake();
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }

    private static Tls.Builder server() throws GeneralSecurityException {
        return Tls.server(SERVER.context(CLIENT.certificate()));
    }

    private static Tls.Builder client() throws GeneralSecurityException {
        return Tls.client(CLIENT.context(SERVER.certificate()), "server.test", 443);
    }

    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private static ByteBuffer utf8(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    // ---- echo ----

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, 1000000",
        "TLSv1.2, 1000000",
        "TLSv1.3, 1",
        "TLSv1.2, 1",
        "TLSv1.3, 7",
        "TLSv1.2, 7",
        "TLSv1.3, 1460"
    })
    void bytesPassUnchangedHoweverTheRecordsAreCut(String version, int chunk) throws Exception {
        Random random = new Random(7);
        int bytes = chunk < 100 ? 20_000 : 1_000_000;
        byte[] sent = new byte[bytes];
        random.nextBytes(sent);
        PlainRecorder recorder = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().protocols(version).build(), ECHO, client().build(), recorder, chunk)) {
            pair.exchange();
            assertEquals(version, recorder.connection.session().getProtocol());
            for (int from = 0; from < bytes; ) {
                int count = Math.min(bytes - from, 1 + random.nextInt(50_000));
                recorder.connection.write(ByteBuffer.wrap(sent, from, count));
                pair.exchange();
                from += count;
            }
            assertArrayEquals(sent, recorder.bytes());
            recorder.connection.close();
            pair.exchange();
            assertTrue(pair.server.isClosed());
            assertNull(pair.server.closeCause());
            assertTrue(pair.client.isClosed());
            assertNull(recorder.cause);
        }
    }

    @Test
    void noMoreHandshakesThanProcessorsRunAtATimeAndOneThreadIsLeft() {
        assertEquals(1, Tls.defaultMax(1, 8));
        assertEquals(3, Tls.defaultMax(4, 8));
        assertEquals(2, Tls.defaultMax(4, 2));
        assertEquals(1, Tls.defaultMax(4, 1));
    }

    @Test
    void theConnectionTellsItsSession() throws Exception {
        List<TlsConnection> opened = new ArrayList<>();
        ConnectionHandler noting = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                opened.add((TlsConnection) connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {}
        };
        Tls server = server().applicationProtocols("h2", "http/1.1")
                .clientCertificate(Tls.ClientCertificate.NEED)
                .contextByName(name -> null)
                .build();
        try (TlsPair pair = new TlsPair(
                server, noting, client().applicationProtocols("http/1.1").build(), noting, 100)) {
            pair.exchange();
            assertEquals(2, opened.size());
            for (TlsConnection side : opened) {
                assertEquals("http/1.1", side.applicationProtocol());
                assertEquals(1, side.session().getPeerCertificates().length);
            }
            assertTrue(opened.stream().anyMatch(side -> "server.test".equals(side.serverName())));
        }
        TlsCounters counters = server.counters();
        assertEquals(1, counters.handshakesBegun());
        assertEquals(1, counters.handshakesCompleted());
        assertEquals(0, counters.handshakesFailed());
    }

    @Test
    void descriptorsAreRefused() throws Exception {
        PlainRecorder recorder = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), ECHO, client().build(), recorder, 1000)) {
            pair.exchange();
            ByteBuffer data = utf8("x");
            UnsupportedOperationException refused = assertThrows(
                    UnsupportedOperationException.class, () -> recorder.connection.writeDescriptors(data, 0));
            assertTrue(refused.getMessage().contains("TLS passes no descriptors"), refused::getMessage);
            assertEquals(1, data.remaining());
            assertThrows(UnsupportedOperationException.class, recorder.connection::takeDescriptor);
            assertThrows(UnsupportedOperationException.class, recorder.connection::receivedDescriptors);
        }
    }

    @Test
    void theContextIsChosenByTheNameThatTheClientAsksFor() throws Exception {
        SelfSigned chosen = certificate("named.test");
        List<String> asked = new ArrayList<>();
        Tls server = server().contextByName(name -> {
                    asked.add(name);
                    try {
                        return "named.test".equals(name) ? chosen.context() : null;
                    } catch (GeneralSecurityException impossible) {
                        throw new AssertionError(impossible);
                    }
                })
                .build();
        for (int chunk : new int[] {1, 10_000}) {
            Tls client = Tls.client(SelfSigned.trusting(chosen.certificate()), "named.test", 443)
                    .build();
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, ECHO, client, recorder, chunk)) {
                pair.exchange();
                assertNotNull(recorder.connection, () -> String.valueOf(pair.client.closeCause()));
                assertEquals(chosen.certificate(), recorder.connection.session().getPeerCertificates()[0]);
            }
        }
        assertEquals(List.of("named.test", "named.test"), asked);
    }

    @Test
    void aReloadedContextServesNewConnections() throws Exception {
        SelfSigned renewed = certificate("server.test");
        Tls server = server().build();
        PlainRecorder before = new PlainRecorder();
        PlainRecorder after = new PlainRecorder();
        Tls client = Tls.client(SelfSigned.trusting(SERVER.certificate(), renewed.certificate()), "server.test", 443)
                .build();
        try (TlsPair first = new TlsPair(server, ECHO, client, before, 1000)) {
            first.exchange();
            server.reload(renewed.context());
            try (TlsPair second = new TlsPair(server, ECHO, client, after, 1000)) {
                second.exchange();
                assertEquals(renewed.certificate(), after.connection.session().getPeerCertificates()[0]);
                before.connection.write(utf8("still served"));
                first.exchange();
                assertEquals("still served", before.text());
            }
        }
    }

    // ---- handshakes that fail ----

    private static void assertHandshakeFails(Tls server, Tls client, String reasonOfClient) {
        PlainRecorder ofServer = new PlainRecorder();
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server, ofServer, client, ofClient, 1000)) {
            pair.exchange();
            assertTrue(pair.server.isClosed());
            assertTrue(pair.client.isClosed());
            assertEquals(1, server.counters().handshakesFailed());
            assertNull(ofServer.connection);
            assertFalse(ofServer.ended, "a handler that was not opened is not closed");
        }
        if (ofClient.connection != null) { // TLS 1.3: the client has finished before the server refuses its certificate
            assertInstanceOf(SSLException.class, ofClient.cause, reasonOfClient);
        }
    }

    @Test
    void aClientWithoutTheCertificateThatIsNeededIsRefused() throws Exception {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            assertHandshakeFails(
                    server().clientCertificate(Tls.ClientCertificate.NEED)
                            .protocols(version)
                            .build(),
                    Tls.client(SelfSigned.trusting(SERVER.certificate()), "server.test", 443)
                            .build(),
                    "certificate required");
        }
    }

    @Test
    void aClientWithoutTheCertificateThatIsWantedIsServed() throws Exception {
        PlainRecorder recorder = new PlainRecorder();
        Tls client = Tls.client(SelfSigned.trusting(SERVER.certificate()), "server.test", 443)
                .build();
        try (TlsPair pair = new TlsPair(
                server().clientCertificate(Tls.ClientCertificate.WANT).build(), ECHO, client, recorder, 1000)) {
            pair.exchange();
            assertNotNull(recorder.connection);
        }
    }

    @Test
    void certificatesOfAnotherNameAndUntrustedOnesAreRefusedByTheClient() throws Exception {
        assertHandshakeFails(
                server().build(),
                Tls.client(SelfSigned.trusting(SERVER.certificate()), "wrong.test", 443)
                        .build(),
                "wrong name");
        assertHandshakeFails(
                server().build(),
                Tls.client(SelfSigned.trusting(CLIENT.certificate()), "server.test", 443)
                        .build(),
                "untrusted");
    }

    @Test
    void sidesWithoutACommonVersionOrProtocolFail() throws Exception {
        assertHandshakeFails(
                server().protocols("TLSv1.3").build(),
                client().protocols("TLSv1.2").build(),
                "version");
        assertHandshakeFails(
                server().applicationProtocols("h2").build(),
                client().applicationProtocols("imap").build(),
                "no application protocol");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u0000\u0000\u0000\u0000\u0000\u0000", "SSH-2.0-x\r\n"})
    void plainTextOnATlsPortIsClosedAndCounted(String text) throws Exception {
        for (boolean byName : new boolean[] {false, true}) {
            Tls.Builder builder = server();
            Tls server = (byName ? builder.contextByName(name -> null) : builder).build();
            PlainRecorder recorder = new PlainRecorder();
            try (EmbeddedConnection raw = EmbeddedConnection.open(server.handler(recorder))) {
                raw.peerSends(text);
                assertTrue(raw.isOutputEnded());
                raw.peerEnds();
                assertTrue(raw.isClosed());
            }
            assertNull(recorder.connection);
            assertEquals(1, server.counters().handshakesFailed());
        }
    }

    @Test
    void aHandshakeThatTakesTooLongIsEnded() throws Exception {
        Tls server = server().handshakeTimeout(Duration.ofSeconds(3)).build();
        try (EmbeddedConnection raw = EmbeddedConnection.open(server.handler(ECHO))) {
            raw.advance(Duration.ofSeconds(2));
            assertFalse(raw.isClosed());
            raw.advance(Duration.ofSeconds(2));
            assertTrue(raw.isClosed());
        }
        assertEquals(1, server.counters().handshakesTimedOut());
        assertEquals(1, server.counters().handshakesFailed());
    }

    @Test
    void aHandshakeIsBounded() throws Exception {
        Tls server =
                server().handshakeBytesMax(2000).contextByName(name -> null).build();
        try (EmbeddedConnection raw = EmbeddedConnection.open(server.handler(ECHO))) {
            ByteBuffer hello = ByteBuffer.allocate(9000);
            hello.put(new byte[] {22, 3, 1, (byte) (8995 >>> 8), (byte) 8995, 1, 0, (byte) (8991 >>> 8), (byte) 8991});
            raw.peerSends(hello.clear().limit(8000));
            raw.peerSends(hello.position(8000).limit(9000));
            assertTrue(raw.isOutputEnded());
        }
        assertEquals(1, server.counters().handshakesFailed());
    }

    /** A client may stop in every state of the handshake: nothing hangs, nothing is opened, each is counted. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientThatStopsAtAnyByteOfTheHandshakeIsClosed(String version) throws Exception {
        for (int stop = 0; stop < 4000; stop += 97) {
            Tls server = server().protocols(version).build();
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, recorder, client().build(), ECHO, 50)) {
                int left = pair.exchangeUntil(stop);
                pair.server.peerEnds();
                assertTrue(pair.server.isOutputEnded());
                assertTrue(pair.server.isClosed());
                boolean completed = recorder.connection != null;
                assertEquals(completed ? 0 : 1, server.counters().handshakesFailed(), "at " + stop);
                if (completed) {
                    assertInstanceOf(SSLException.class, recorder.cause, "truncated");
                    assertEquals(1, server.counters().truncations());
                }
                if (left > 0) {
                    return;
                }
            }
        }
    }

    /** A client may stand still in every state of the handshake: it is timed out and counted, and its engine and place are released. */
    @ParameterizedTest
    @CsvSource({"TLSv1.2, false", "TLSv1.3, false", "TLSv1.2, true", "TLSv1.3, true"})
    void aClientThatStandsStillAtAnyByteOfTheHandshakeIsTimedOut(String version, boolean withCertificate)
            throws Exception {
        AtomicInteger engines = new AtomicInteger();
        SSLContext context = SERVER.context(CLIENT.certificate());
        EngineFactory counted = new EngineFactory() {
            @Override
            public SSLEngine newEngine(String host, int port) {
                engines.incrementAndGet();
                return context.createSSLEngine();
            }

            @Override
            public void release(SSLEngine engine) {
                engines.decrementAndGet();
            }
        };
        Tls server = Tls.server(counted)
                .protocols(version)
                .clientCertificate(withCertificate ? Tls.ClientCertificate.NEED : Tls.ClientCertificate.NONE)
                .handshakeTimeout(Duration.ofSeconds(3))
                .handshakesMax(1)
                .build();
        int stopped = 0;
        int left = 0;
        for (int stop = 0; left == 0; stop += 53) {
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, recorder, client().build(), new PlainRecorder(), 40)) {
                left = pair.exchangeUntil(stop);
                pair.server.advance(Duration.ofSeconds(4));
                if (recorder.connection == null) {
                    assertTrue(pair.server.isClosed(), "at " + stop);
                    stopped++;
                    assertEquals(stopped, server.counters().handshakesTimedOut(), "at " + stop);
                } else {
                    assertFalse(pair.server.isClosed(), "at " + stop);
                    break;
                }
            }
            assertEquals(0, engines.get(), "at " + stop);
        }
        assertEquals(stopped, server.counters().handshakesFailed());
        assertEquals(1, server.counters().handshakesCompleted());
        assertTrue(stopped > 5, stopped + " times");
    }

    // ---- the end ----

    @Test
    void aConnectionThatIsCutOffIsReported() throws Exception {
        PlainRecorder ofServer = new PlainRecorder();
        PlainRecorder ofClient = new PlainRecorder();
        Tls server = server().build();
        try (TlsPair pair = new TlsPair(server, ofServer, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("the whole trut"));
            pair.exchange();
            pair.server.peerEnds();
            assertEquals("the whole trut", ofServer.text());
            assertTrue(pair.server.isClosed());
            assertInstanceOf(SSLException.class, ofServer.cause);
            assertFalse(ofServer.inputClosed, "this was no end of the peer");
            assertEquals(1, server.counters().truncations());
        }
    }

    @Test
    void oneDirectionEndsBeforeTheOther() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        List<String> calls = new ArrayList<>();
        List<Connection> atServer = new ArrayList<>();
        ConnectionHandler answeringAtTheEnd = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                atServer.add(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                calls.add("data"); // left unread until the end
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                calls.add("end with " + StandardCharsets.UTF_8.decode(unread));
                connection.write(utf8("answer"));
                connection.close();
            }
        };
        try (TlsPair pair = new TlsPair(server().build(), answeringAtTheEnd, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("question"));
            ofClient.connection.shutdownOutput();
            pair.exchange();
            assertEquals(List.of("data", "end with question"), calls);
            assertEquals("answer", ofClient.text());
            assertTrue(ofClient.inputClosed);
            assertTrue(pair.server.isClosed());
            assertNull(pair.server.closeCause());
            assertTrue(pair.client.isClosed());
            assertNull(ofClient.cause);
        }
    }

    @Test
    void aDrainedServerSaysGoodbye() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), ECHO, client().build(), ofClient, 1000)) {
            pair.exchange();
            pair.server.drain();
            pair.exchange();
            assertTrue(ofClient.inputClosed, "by a close_notify");
            assertNull(ofClient.cause);
            assertTrue(pair.client.isClosed());
        }
    }

    @Test
    void aBrokenRecordEndsTheConnectionAfterWhatCameBefore() throws Exception {
        PlainRecorder ofServer = new PlainRecorder();
        PlainRecorder ofClient = new PlainRecorder();
        Tls server = server().build();
        try (TlsPair pair = new TlsPair(server, ofServer, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("good"));
            ByteBuffer records = pair.takeFromClient();
            byte[] forged = new byte[records.remaining() + 30];
            records.get(forged, 0, records.remaining());
            forged[forged.length - 30] = 23;
            forged[forged.length - 29] = 3;
            forged[forged.length - 28] = 3;
            forged[forged.length - 26] = 25;
            pair.server.peerSends(ByteBuffer.wrap(forged));
            assertEquals("good", ofServer.text());
            pair.server.peerEnds();
            assertInstanceOf(SSLException.class, ofServer.cause);
            assertEquals(1, server.counters().failures());
        }
    }

    // ---- a handler's ways ----

    @Test
    void bytesThatAreLeftUnreadComeAgainWithMore() throws Exception {
        List<String> calls = new ArrayList<>();
        ConnectionHandler wholeWords = (connection, data) -> {
            byte[] all = new byte[data.remaining()];
            data.get(data.position(), all);
            String text = new String(all, StandardCharsets.UTF_8);
            int end = text.lastIndexOf(' ') + 1;
            data.position(data.position() + end);
            calls.add(text.substring(0, end));
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), wholeWords, client().build(), ofClient, 1000)) {
            pair.exchange();
            for (String part : List.of("one tw", "o thr", "ee ")) {
                ofClient.connection.write(utf8(part));
                pair.exchange();
            }
            assertEquals(List.of("one ", "two ", "three "), calls);
        }
    }

    @Test
    void unreadBytesAreBounded() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        List<Throwable> causes = new ArrayList<>();
        ConnectionHandler neverReading = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void closed(Connection connection, Throwable cause) {
                causes.add(cause);
            }
        };
        try (TlsPair pair = new TlsPair(server().build(), neverReading, client().build(), ofClient, 5000)) {
            pair.exchange();
            for (int i = 0; i < 20 && causes.isEmpty(); i++) {
                ofClient.connection.write(ByteBuffer.allocate(8 << 10));
                pair.exchange();
            }
            assertInstanceOf(org.cabrank.stream.UnreadLimitException.class, causes.get(0));
        }
    }

    @Test
    void aPauseHoldsPlaintextThatIsDecryptedAlready() throws Exception {
        List<String> calls = new ArrayList<>();
        ConnectionHandler pausing = (connection, data) -> {
            calls.add(String.valueOf((char) data.get()));
            connection.pauseReading();
        };
        List<Connection> server = new ArrayList<>();
        ConnectionHandler noting = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                server.add(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                pausing.data(connection, data);
            }
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), noting, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("abc"));
            pair.exchange();
            assertEquals(List.of("a"), calls);
            ofClient.connection.write(utf8("d"));
            ofClient.connection.shutdownOutput();
            pair.exchange();
            for (int i = 0; i < 4; i++) {
                server.get(0).resumeReading();
                pair.exchange();
            }
            assertEquals(List.of("a", "b", "c", "d"), calls);
            server.get(0).resumeReading();
            pair.exchange();
            assertTrue(pair.server.isClosed(), "the end follows the last byte");
        }
    }

    @Test
    void offloadedWorkHoldsFurtherPlaintextBack() throws Exception {
        List<String> calls = new ArrayList<>();
        List<Runnable> work = new ArrayList<>();
        ConnectionHandler offloading = (connection, data) -> {
            char first = (char) data.get();
            calls.add("begin " + first);
            connection.offload(work::add, () -> first, (own, result) -> {
                assertInstanceOf(TlsConnection.class, own);
                own.write(utf8("" + Character.toUpperCase(result)));
                calls.add("end " + result);
            });
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), offloading, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("abc"));
            pair.exchange();
            for (int i = 0; i < 3; i++) {
                assertEquals(2 * i + 1, calls.size());
                work.remove(0).run();
                pair.exchange();
            }
            assertEquals(List.of("begin a", "end a", "begin b", "end b", "begin c", "end c"), calls);
            assertEquals("ABC", ofClient.text());
        }
    }

    @Test
    void aNestedWaitGivesTheRestToTheNextCallback() throws Exception {
        List<String> calls = new ArrayList<>();
        List<Reply<String>> replies = new ArrayList<>();
        ConnectionHandler waiting = (connection, data) -> {
            char first = (char) data.get();
            calls.add("begin " + first);
            if (first == 'a') {
                connection.write(utf8("sent before the wait"));
                Reply<String> reply = connection.newReply();
                replies.add(reply);
                String outcome = reply.await(Duration.ofSeconds(20));
                calls.add(outcome + " with " + data.remaining() + " bytes");
                connection.write(utf8(", and after"));
            } else {
                data.position(data.limit());
            }
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), waiting, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("abc"));
            pair.exchange();
            assertEquals(List.of("begin a", "begin b"), calls);
            assertEquals("sent before the wait", ofClient.text());
            replies.get(0).complete("done");
            pair.exchange();
            assertEquals(List.of("begin a", "begin b", "done with 0 bytes"), calls);
            assertEquals("sent before the wait, and after", ofClient.text());
        }
    }

    @Test
    void writesOfOtherThreadsKeepTheirOrder() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        PlainRecorder ofServer = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), ofServer, client().build(), ofClient, 10_000)) {
            pair.exchange();
            List<Thread> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                String name = "" + (char) ('a' + writer);
                writers.add(new Thread(() -> {
                    for (int i = 0; i < 200; i++) {
                        ofServer.connection.write(utf8(name), utf8(i + "\n"));
                    }
                }));
            }
            writers.forEach(Thread::start);
            for (Thread writer : writers) {
                writer.join();
            }
            pair.exchange();
            String[] lines = ofClient.text().split("\n");
            assertEquals(800, lines.length);
            int[] next = new int[4];
            for (String line : lines) {
                int writer = line.charAt(0) - 'a';
                assertEquals(next[writer]++, Integer.parseInt(line.substring(1)));
            }
        }
    }

    // ---- bounded handshakes ----

    @Test
    void operationsOfHandshakesRunOnTheExecutorAndNoMoreThanAllowed() throws Exception {
        List<Runnable> work = new ArrayList<>();
        Tls server = server().handshakeExecutor(work::add).handshakesMax(1).build();
        List<TlsPair> pairs = new ArrayList<>();
        List<PlainRecorder> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                PlainRecorder recorder = new PlainRecorder();
                clients.add(recorder);
                pairs.add(new TlsPair(server, ECHO, client().build(), recorder, 1000));
                pairs.get(i).exchange();
            }
            assertEquals(3, pairs.size());
            assertNotEquals(0, work.size());
            for (int round = 0; round < 50 && server.counters().handshakesCompleted() < 3; round++) {
                List<Runnable> due = List.copyOf(work);
                work.clear();
                due.forEach(Runnable::run);
                pairs.forEach(TlsPair::exchange);
            }
            assertEquals(3, server.counters().handshakesCompleted());
            for (int i = 0; i < 3; i++) {
                clients.get(i).connection.write(utf8("hello " + i));
                pairs.get(i).exchange();
                assertEquals("hello " + i, clients.get(i).text());
            }
        } finally {
            pairs.forEach(TlsPair::close);
        }
    }

    /** Records the plaintext that a side has received. */
    static final class PlainRecorder implements ConnectionHandler {
        private final java.io.ByteArrayOutputStream received = new java.io.ByteArrayOutputStream();
        volatile TlsConnection connection;
        volatile boolean inputClosed;
        volatile boolean ended;
        volatile Throwable cause;

        @Override
        public void opened(Connection opened) {
            connection = (TlsConnection) opened;
        }

        @Override
        public void data(Connection own, ByteBuffer data) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            received.writeBytes(bytes);
        }

        @Override
        public void inputClosed(Connection own, ByteBuffer unread) {
            inputClosed = true;
            own.close();
        }

        @Override
        public void closed(Connection own, Throwable thrown) {
            cause = thrown;
            ended = true;
        }

        byte[] bytes() {
            return received.toByteArray();
        }

        String text() {
            return received.toString(StandardCharsets.UTF_8);
        }
    }

    /** A server and a client whose bytes the test carries. */
    static final class TlsPair implements AutoCloseable {
        final EmbeddedConnection server;
        final EmbeddedConnection client;
        private final int chunk;
        private boolean serverEndCarried;
        private boolean clientEndCarried;

        TlsPair(Tls server, ConnectionHandler ofServer, Tls client, ConnectionHandler ofClient, int chunk) {
            this(server.handler(ofServer), client.handler(ofClient), chunk);
        }

        TlsPair(ConnectionHandler server, ConnectionHandler client, int chunk) {
            this.chunk = chunk;
            this.server = EmbeddedConnection.open(server);
            this.client = EmbeddedConnection.open(client);
        }

        /** Carries bytes and ends in both directions until there are no more. */
        void exchange() {
            exchangeUntil(Integer.MAX_VALUE);
        }

        /** Carries so many bytes of the client at most; returns how many of them are left over. */
        int exchangeUntil(int bytesOfClient) {
            int left = bytesOfClient;
            boolean carried = true;
            while (carried) {
                ByteBuffer fromClient = client.peerReceivesBytes();
                fromClient.limit(Math.min(fromClient.limit(), left));
                left -= fromClient.remaining();
                carried = carry(fromClient, server);
                carried |= carry(server.peerReceivesBytes(), client);
                if (client.isOutputEnded() && !clientEndCarried && bytesOfClient == Integer.MAX_VALUE) {
                    clientEndCarried = true;
                    server.peerEnds();
                    carried = true;
                }
                if (server.isOutputEnded() && !serverEndCarried) {
                    serverEndCarried = true;
                    client.peerEnds();
                    carried = true;
                }
            }
            return left;
        }

        private boolean carry(ByteBuffer bytes, EmbeddedConnection to) {
            boolean any = bytes.hasRemaining();
            while (bytes.hasRemaining() && !to.isClosed()) {
                int count = Math.min(chunk, bytes.remaining());
                to.peerSends(
                        ByteBuffer.wrap(Arrays.copyOfRange(bytes.array(), bytes.position(), bytes.position() + count)));
                bytes.position(bytes.position() + count);
            }
            return any;
        }

        ByteBuffer takeFromClient() {
            client.settle();
            return client.peerReceivesBytes();
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }
}
