package org.cabrank.tls;

import static org.cabrank.tls.RawTlsClient.ALERT;
import static org.cabrank.tls.RawTlsClient.CHANGE_CIPHER_SPEC;
import static org.cabrank.tls.RawTlsClient.DATA;
import static org.cabrank.tls.RawTlsClient.GROUPS;
import static org.cabrank.tls.RawTlsClient.HANDSHAKE;
import static org.cabrank.tls.RawTlsClient.KEY_UPDATE;
import static org.cabrank.tls.RawTlsClient.TLS_1_2;
import static org.cabrank.tls.RawTlsClient.TLS_1_3;
import static org.cabrank.tls.RawTlsClient.bytes;
import static org.cabrank.tls.RawTlsClient.concat;
import static org.cabrank.tls.RawTlsClient.extension;
import static org.cabrank.tls.RawTlsClient.message;
import static org.cabrank.tls.RawTlsClient.record;
import static org.cabrank.tls.RawTlsClient.shorts;
import static org.cabrank.tls.RawTlsClient.vector;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.RawTlsClient.Outcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records and messages that no library sends, to a server of this library and to the JDK's own blocking server: the answer is the same, or
 * a better one that {@link #BETTER} names. A refusal is an alert, and then an orderly end.
 */
@Timeout(300)
@Tag("newest") // the engine and the sockets of older JDKs differ in other alerts
class TlsConformanceTest {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("localhost", "127.0.0.1");
    private static final byte[] NONE = {};
    private static final int RECORD_MAX = 1 << 14;
    private static final int MANY = 1_000;
    private static final byte[] PING = "ping".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE_NOTIFY = {1, 0};

    /** Alerts of this library by the name of the script, where the JDK's server sends another alert or no alert. */
    private static final Map<String, List<String>> BETTER = Map.of(
            "nothing", List.of(), // asks for nothing
            "half a header", List.of("1,90", "1,0"),
            "half a hello", List.of("1,90", "1,0"),
            "a hello of SSL 2", List.of("2,10"),
            "a record of version 0x0", List.of("2,70"),
            "a record of version 0x2", List.of("2,70"),
            "a renegotiation", List.of("2,10"),
            "an empty handshake record in TLS 1.2", List.of("2,10"),
            "data of 20,000 bytes", List.of("2,10"));

    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;

    /**
     * Without and with a context by name, for which the hello is read before there is an engine. The second one gets records behind the
     * handshake in a soak only: both then have the same engine.
     */
    private static List<StreamServer> servers;

    private static SSLServerSocket reference;
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    /** Actions of a client, which notes an end of the connection by the server. */
    interface Script {
        void on(RawTlsClient client) throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        servers = List.of(
                serve(Tls.server(CERTIFICATE.context()).build()),
                serve(Tls.server(CERTIFICATE.context())
                        .contextByName(name -> null)
                        .build()));
        reference = (SSLServerSocket) CERTIFICATE
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        THREADS.execute(() -> {
            while (!reference.isClosed()) {
                try {
                    SSLSocket socket = (SSLSocket) reference.accept();
                    THREADS.execute(() -> echo(socket));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private static StreamServer serve(Tls tls) throws IOException {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .threadsPerShard(2)
                .handler(tls.handlers(() -> TestTls.ECHO))
                .start();
    }

    @AfterAll
    static void end() throws Exception {
        reference.close();
        THREADS.shutdownNow();
        for (StreamServer server : servers) {
            Await.until(
                    "all connections have ended",
                    () -> server.reactor().connections().isEmpty());
            server.close();
        }
    }

    private static void echo(SSLSocket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException refused) {
            return;
        }
    }

    // ---- scripts ----

    private static Script inClear(byte[]... records) {
        return client -> client.send(records);
    }

    /** A hello whose body is made of parts. */
    private interface Hello {
        byte[] of(RawTlsClient client);
    }

    private static Script hello(Hello hello) {
        return client -> {
            byte[] message = hello.of(client);
            client.send(record(HANDSHAKE, TLS_1_2, message)).shakeBehind(message);
        };
    }

    /** The hello in two records, and something between them. */
    private static Script insideHello(byte[] record) {
        return client -> {
            byte[] hello = client.hello();
            client.send(
                            record(HANDSHAKE, TLS_1_2, Arrays.copyOf(hello, 20)),
                            record,
                            record(HANDSHAKE, TLS_1_2, Arrays.copyOfRange(hello, 20, hello.length)))
                    .shakeBehind(hello);
        };
    }

    private static Script beforeHello(byte[]... records) {
        return client -> {
            byte[] hello = client.hello();
            client.send(concat(records), record(HANDSHAKE, TLS_1_2, hello)).shakeBehind(hello);
        };
    }

    private static Script beforeFinished(Script script) {
        return client -> {
            byte[] hello = client.hello();
            client.send(record(HANDSHAKE, TLS_1_2, hello)).readFlight(hello);
            script.on(client);
            client.finish();
        };
    }

    private static Script established(Script script) {
        return client -> script.on(client.shake());
    }

    private static Script established(int type, byte[] content) {
        return established(client -> client.sendRecord(type, content));
    }

    private static byte[] alert(int... bytes) {
        return record(ALERT, TLS_1_2, bytes(bytes));
    }

    private static byte[] times(int count, byte[] record) {
        byte[][] all = new byte[count][];
        Arrays.fill(all, record);
        return concat(all);
    }

    private static byte[] pieces(byte[] message, int size) {
        List<byte[]> all = new ArrayList<>();
        for (int at = 0; at < message.length; at += size) {
            all.add(record(HANDSHAKE, TLS_1_2, Arrays.copyOfRange(message, at, Math.min(message.length, at + size))));
        }
        return concat(all.toArray(new byte[0][]));
    }

    private static byte[] withVersion(byte[] hello, int version) {
        byte[] changed = hello.clone();
        changed[4] = (byte) (version >> 8);
        changed[5] = (byte) version;
        return changed;
    }

    private static final Map<String, Script> HELLOS = new LinkedHashMap<>();
    private static final Map<String, Script> HANDSHAKES = new LinkedHashMap<>();
    private static final Map<String, Script> RECORDS_1_3 = new LinkedHashMap<>();
    private static final Map<String, Script> RECORDS_1_2 = new LinkedHashMap<>();

    static {
        Map<String, Script> all = HELLOS;
        all.put("an ordinary hello", hello(client -> client.hello()));
        all.put("a hello in records of a byte", client -> {
            byte[] hello = client.hello();
            client.send(pieces(hello, 1)).shakeBehind(hello);
        });
        all.put("an empty record before the hello", beforeHello(record(HANDSHAKE, TLS_1_2, NONE)));
        all.put("many empty records before the hello", beforeHello(times(MANY, record(HANDSHAKE, TLS_1_2, NONE))));
        all.put("an empty record inside the hello", insideHello(record(HANDSHAKE, TLS_1_2, NONE)));
        all.put("data inside the hello", insideHello(record(DATA, TLS_1_2, PING)));
        all.put("empty data inside the hello", insideHello(record(DATA, TLS_1_2, NONE)));
        all.put("a warning inside the hello", insideHello(alert(1, 90)));
        all.put("close_notify inside the hello", insideHello(alert(1, 0)));
        all.put("CCS inside the hello", insideHello(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1))));
        all.put("CCS before the hello", beforeHello(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1))));
        all.put("many CCS before the hello", beforeHello(times(MANY, record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1)))));
        all.put("data before the hello", beforeHello(record(DATA, TLS_1_2, PING)));
        all.put(
                "a finished message before the hello",
                beforeHello(record(HANDSHAKE, TLS_1_2, message(20, new byte[32]))));
        all.put(
                "a key update before the hello",
                beforeHello(record(HANDSHAKE, TLS_1_2, message(KEY_UPDATE, bytes(0)))));
        all.put("an unknown message before the hello", beforeHello(record(HANDSHAKE, TLS_1_2, message(99, NONE))));
        all.put("two hellos in a record", hello(client -> concat(client.hello(), client.hello())));
        for (int length : new int[] {RECORD_MAX + 1, RECORD_MAX + 257, RECORD_MAX + 2049, 40_000, 65_535}) {
            all.put(
                    "a first record of " + length + " bytes",
                    inClear(record(HANDSHAKE, TLS_1_2, Arrays.copyOf(bytes(1, 0, 255, 0), length))));
        }
        for (int type : new int[] {0, 19, 24, 99, 128, 255}) {
            all.put("a first record of type " + type, beforeHello(record(type, TLS_1_2, PING)));
            all.put("a record of type " + type + " inside the hello", insideHello(record(type, TLS_1_2, PING)));
        }
        all.put("an empty alert", beforeHello(alert()));
        all.put("an alert of a byte", beforeHello(alert(1)));
        all.put("an alert of three bytes", beforeHello(alert(1, 90, 0)));
        all.put("an alert of an unknown level", beforeHello(alert(3, 90)));
        all.put("a fatal alert", beforeHello(alert(2, 40)));
        all.put("close_notify first", beforeHello(alert(1, 0)));
        all.put("a warning first", beforeHello(alert(1, 90)));
        for (int version : new int[] {0, 0x0002, 0x0300, 0x0301, 0x0304, 0x0399, 0x0400, 0x0500, 0xffff}) {
            String name = " of version 0x" + Integer.toHexString(version);
            all.put("a record" + name, client -> {
                byte[] hello = client.hello();
                client.send(record(HANDSHAKE, version, hello)).shakeBehind(hello);
            });
            all.put("a hello" + name, hello(client -> withVersion(client.hello(), version)));
        }
        all.put(
                "an extension twice",
                hello(client -> client.hello(concat(client.extensions(), extension(GROUPS, vector(shorts(29)))))));
        all.put(
                "an unknown extension twice",
                hello(client ->
                        client.hello(concat(client.extensions(), extension(0x7a7a, NONE), extension(0x7a7a, NONE)))));
        all.put(
                "an empty group list",
                hello(client -> client.hello(concat(extension(GROUPS, vector(NONE)), client.extensions()))));
        all.put(
                "bytes behind the extensions",
                hello(client -> message(
                        1,
                        client.helloBody(shorts(0x1301), bytes(1, 0), concat(vector(client.extensions()), bytes(0))))));
        all.put("extensions that end too soon", hello(client -> {
            byte[] extensions = vector(client.extensions());
            return message(
                    1, client.helloBody(shorts(0x1301), bytes(1, 0), Arrays.copyOf(extensions, extensions.length - 3)));
        }));
        all.put(
                "no suites",
                hello(client -> message(1, client.helloBody(NONE, bytes(1, 0), vector(client.extensions())))));
        all.put(
                "an odd list of suites",
                hello(client ->
                        message(1, client.helloBody(bytes(0x13, 1, 0x13), bytes(1, 0), vector(client.extensions())))));
        all.put(
                "unknown suites",
                hello(client ->
                        message(1, client.helloBody(shorts(0x7a7a), bytes(1, 0), vector(client.extensions())))));
        all.put(
                "no compression methods",
                hello(client -> message(1, client.helloBody(shorts(0x1301), bytes(0), vector(client.extensions())))));
        all.put(
                "another compression method",
                hello(client ->
                        message(1, client.helloBody(shorts(0x1301), bytes(1, 1), vector(client.extensions())))));
        all.put("no extensions", hello(client -> message(1, client.helloBody(shorts(0x1301), bytes(1, 0), NONE))));
        all.put("an empty hello", hello(client -> message(1, NONE)));
        all.put("a hello of a byte", hello(client -> message(1, bytes(3))));
        all.put(
                "a hello without an end",
                client -> client.send(pieces(concat(bytes(1, 255, 255, 255), new byte[300_000]), RECORD_MAX)));
        all.put("plain text", inClear("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        all.put("a hello of SSL 2", inClear(bytes(0x80, 0x2e, 1, 0, 2, 0, 0x15, 0, 0, 0, 0x10)));
        all.put("nothing", client -> {});
        all.put("half a header", inClear(bytes(22, 3)));
        all.put("half a hello", client -> client.send(Arrays.copyOf(record(HANDSHAKE, TLS_1_2, client.hello()), 60)));

        all = HANDSHAKES;
        all.put("an ordinary handshake", beforeFinished(client -> {}));
        all.put("CCS before finished", beforeFinished(inClear(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1)))));
        all.put(
                "many CCS before finished",
                beforeFinished(inClear(times(MANY, record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1))))));
        all.put("CCS of two bytes", beforeFinished(inClear(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1, 1)))));
        all.put("CCS of another value", beforeFinished(inClear(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(2)))));
        all.put("an empty CCS", beforeFinished(inClear(record(CHANGE_CIPHER_SPEC, TLS_1_2, NONE))));
        all.put("data instead of finished", beforeFinished(client -> client.sendRecord(DATA, PING)));
        all.put("data in clear instead of finished", beforeFinished(inClear(record(DATA, TLS_1_2, PING))));
        all.put("close_notify instead of finished", beforeFinished(client -> client.sendRecord(ALERT, CLOSE_NOTIFY)));
        all.put("a fatal alert instead of finished", beforeFinished(client -> client.sendRecord(ALERT, bytes(2, 42))));
        all.put("a warning before finished", beforeFinished(client -> client.sendRecord(ALERT, bytes(1, 90))));
        all.put(
                "another hello instead of finished",
                beforeFinished(client -> client.sendRecord(HANDSHAKE, client.hello())));
        all.put(
                "a key update before finished",
                beforeFinished(client -> client.sendRecord(HANDSHAKE, message(KEY_UPDATE, bytes(0)))));
        all.put(
                "finished in clear",
                beforeFinished(client -> client.send(record(HANDSHAKE, TLS_1_2, message(20, new byte[32])))));
        all.put(
                "a wrong finished message",
                beforeFinished(client -> client.sendRecord(HANDSHAKE, message(20, new byte[32]))));
        all.put(
                "a short finished message",
                beforeFinished(client -> client.sendRecord(HANDSHAKE, message(20, new byte[3]))));
        all.put("an empty record before finished", beforeFinished(client -> client.sendRecord(HANDSHAKE, NONE)));
        all.put("an empty alert before finished", beforeFinished(client -> client.sendRecord(ALERT, NONE)));
        all.put("a forged record before finished", beforeFinished(inClear(record(DATA, TLS_1_2, new byte[50]))));
        all.put("a short record before finished", beforeFinished(inClear(record(DATA, TLS_1_2, new byte[5]))));
        all.put("an unknown type before finished", beforeFinished(inClear(record(99, TLS_1_2, PING))));

        all = RECORDS_1_3;
        all.put("CCS after the handshake", established(inClear(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1)))));
        all.put("data in clear", established(inClear(record(DATA, TLS_1_2, PING))));
        all.put("an empty record in clear", established(inClear(record(DATA, TLS_1_2, NONE))));
        all.put("a hello in clear", established(client -> client.send(record(HANDSHAKE, TLS_1_2, client.hello()))));
        all.put("an alert in clear", established(inClear(alert(2, 40))));
        all.put("close_notify in clear", established(inClear(alert(1, 0))));
        all.put("empty data", established(DATA, NONE));
        all.put("much empty data", established(client -> {
            for (int i = 0; i < MANY; i++) {
                client.sendRecord(DATA, NONE);
            }
        }));
        all.put("a record of zeros", established(client -> client.send(client.sealedInner(new byte[30]))));
        all.put("a record of a zero", established(client -> client.send(client.sealedInner(new byte[1]))));
        all.put("an empty inner record", established(client -> client.send(client.sealedInner(NONE))));
        all.put("an unknown inner type", established(99, PING));
        all.put("an inner CCS", established(CHANGE_CIPHER_SPEC, bytes(1)));
        all.put("an inner heartbeat", established(24, PING));
        all.put("padding", established(client -> client.send(client.padded(DATA, PING, 9_000))));
        all.put("much padding", established(client -> client.send(client.padded(DATA, PING, RECORD_MAX - 4))));
        all.put("too much padding", established(client -> client.send(client.padded(DATA, PING, RECORD_MAX - 3))));
        all.put("data of 2^14 bytes", established(DATA, new byte[RECORD_MAX]));
        all.put("data of 2^14 + 1 bytes", established(DATA, new byte[RECORD_MAX + 1]));
        all.put("data of 2^14 + 240 bytes", established(DATA, new byte[RECORD_MAX + 239]));
        all.put("data of 2^14 + 241 bytes", established(DATA, new byte[RECORD_MAX + 240]));
        all.put("data of 20,000 bytes", established(DATA, new byte[20_000]));
        all.put("data of 40,000 bytes", established(DATA, new byte[40_000]));
        all.put("an empty alert", established(ALERT, NONE));
        all.put("an alert of a byte", established(ALERT, bytes(1)));
        all.put("an alert of three bytes", established(ALERT, bytes(1, 90, 0)));
        all.put("two alerts in a record", established(ALERT, bytes(1, 90, 1, 0)));
        all.put("a padded close_notify", established(client -> client.send(client.padded(ALERT, CLOSE_NOTIFY, 100))));
        all.put("a warning", established(ALERT, bytes(1, 90)));
        all.put("an unknown warning", established(ALERT, bytes(1, 200)));
        all.put("a fatal alert", established(ALERT, bytes(2, 40)));
        all.put("an unknown level", established(ALERT, bytes(3, 40)));
        all.put(
                "close_notify and data",
                established(client -> client.sendRecord(ALERT, CLOSE_NOTIFY).sendRecord(DATA, PING)));
        all.put(
                "close_notify twice",
                established(client -> client.sendRecord(ALERT, CLOSE_NOTIFY).sendRecord(ALERT, CLOSE_NOTIFY)));
        all.put("a key update", established(client -> client.updateKeys(0)));
        all.put("a key update that asks for one", established(client -> client.updateKeys(1)));
        all.put("many key updates", established(client -> {
            for (int i = 0; i < MANY; i++) {
                client.updateKeys(0);
            }
        }));
        all.put("many key updates that ask for one", established(client -> {
            for (int i = 0; i < MANY; i++) {
                client.updateKeys(1);
            }
        }));
        all.put("key updates among data", established(client -> {
            for (int i = 0; i < 50; i++) {
                client.sendRecord(DATA, new byte[2_000]).updateKeys(1);
            }
        }));
        all.put("a key update of an unknown value", established(client -> client.updateKeys(2)));
        all.put("an empty key update", established(HANDSHAKE, message(KEY_UPDATE, NONE)));
        all.put("a key update of two bytes", established(HANDSHAKE, message(KEY_UPDATE, bytes(0, 0))));
        all.put("two key updates in a record", established(client -> {
            client.sendRecord(HANDSHAKE, concat(message(KEY_UPDATE, bytes(0)), message(KEY_UPDATE, bytes(0))));
            client.useNextKeys();
            client.useNextKeys();
        }));
        all.put("a key update in records of a byte", established(client -> {
            for (byte part : message(KEY_UPDATE, bytes(1))) {
                client.sendRecord(HANDSHAKE, new byte[] {part});
            }
            client.useNextKeys();
        }));
        all.put("data inside a key update", established(client -> {
            client.sendRecord(HANDSHAKE, bytes(KEY_UPDATE, 0))
                    .sendRecord(DATA, PING)
                    .sendRecord(HANDSHAKE, bytes(0, 1, 0));
            client.useNextKeys();
        }));
        all.put("a key update and old keys", established(HANDSHAKE, message(KEY_UPDATE, bytes(0))));
        all.put("a hello after the handshake", established(client -> client.sendRecord(HANDSHAKE, client.hello())));
        all.put("finished again", established(client -> client.sendRecord(HANDSHAKE, client.finished())));
        for (int type : new int[] {0, 2, 4, 5, 11, 13, 15, 99, 254}) {
            all.put("a message of type " + type, established(HANDSHAKE, message(type, new byte[8])));
        }
        all.put("an empty handshake record", established(HANDSHAKE, NONE));
        all.put("a message without an end", established(client -> {
            client.sendRecord(HANDSHAKE, bytes(KEY_UPDATE, 255, 255, 255));
            for (int i = 0; i < 30; i++) {
                client.sendRecord(HANDSHAKE, new byte[RECORD_MAX]);
            }
        }));
        all.put("a forged record", established(inClear(record(DATA, TLS_1_2, new byte[50]))));
        all.put("a record shorter than its tag", established(inClear(record(DATA, TLS_1_2, new byte[5]))));
        all.put("an unknown type", established(inClear(record(99, TLS_1_2, PING))));
        all.put("a record of an unknown version", established(client -> {
            byte[] sealed = client.sealed(DATA, PING);
            sealed[1] = 9;
            client.send(sealed);
        }));
        all.put("half a record", established(client -> client.send(Arrays.copyOf(client.sealed(DATA, PING), 12))));

        all = RECORDS_1_2;
        all.put("a renegotiation", established(client -> client.sendRecord(HANDSHAKE, client.hello())));
        all.put("empty data", established(DATA, NONE));
        all.put("much empty data", established(client -> {
            for (int i = 0; i < MANY; i++) {
                client.sendRecord(DATA, NONE);
            }
        }));
        all.put("CCS", established(CHANGE_CIPHER_SPEC, bytes(1)));
        all.put("CCS in clear", established(inClear(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1)))));
        all.put("data in clear", established(inClear(record(DATA, TLS_1_2, PING))));
        all.put("an empty record in clear", established(inClear(record(DATA, TLS_1_2, NONE))));
        all.put("an empty alert", established(ALERT, NONE));
        all.put("an alert of a byte", established(ALERT, bytes(1)));
        all.put("an alert of three bytes", established(ALERT, bytes(1, 90, 0)));
        all.put("no_renegotiation", established(ALERT, bytes(1, 100)));
        all.put("many warnings", established(client -> {
            for (int i = 0; i < MANY; i++) {
                client.sendRecord(ALERT, bytes(1, 90));
            }
        }));
        all.put("an unknown warning", established(ALERT, bytes(1, 200)));
        all.put("an unknown level", established(ALERT, bytes(3, 40)));
        all.put("a fatal alert", established(ALERT, bytes(2, 40)));
        all.put("an unknown type", established(99, PING));
        all.put("a heartbeat", established(24, PING));
        for (int type : new int[] {0, 2, 4, 11, 14, 16, 20, 24, 99}) {
            all.put("a message of type " + type, established(HANDSHAKE, message(type, new byte[8])));
        }
        all.put("half a message", established(HANDSHAKE, bytes(1, 0)));
        all.put("an empty handshake record in TLS 1.2", established(HANDSHAKE, NONE));
        all.put("data of 2^14 bytes", established(DATA, new byte[RECORD_MAX]));
        all.put("data of 2^14 + 1 bytes", established(DATA, new byte[RECORD_MAX + 1]));
        all.put("data of 20,000 bytes", established(DATA, new byte[20_000]));
        all.put("a forged record", established(inClear(record(DATA, TLS_1_2, new byte[50]))));
        all.put("a short record", established(inClear(record(DATA, TLS_1_2, new byte[5]))));
        all.put(
                "close_notify and data",
                established(client -> client.sendRecord(ALERT, CLOSE_NOTIFY).sendRecord(DATA, PING)));
        all.put("a record of an unknown version", established(client -> {
            byte[] sealed = client.sealed(DATA, PING);
            sealed[1] = 9;
            client.send(sealed);
        }));
    }

    // ---- tests ----

    private static Outcome outcome(int port, int version, Script script) throws Exception {
        try (RawTlsClient client = new RawTlsClient(new InetSocketAddress("127.0.0.1", port), version)) {
            script.on(client);
            if (client.isEstablished()) {
                client.sendRecord(DATA, PING).sendRecord(ALERT, CLOSE_NOTIFY);
            }
            return client.outcome();
        }
    }

    private static void check(Map<String, Script> scripts, String name, int version) throws Exception {
        Outcome expected = outcome(reference.getLocalPort(), version, scripts.get(name));
        if (BETTER.containsKey(name)) {
            assertFalse(BETTER.get(name).equals(expected.alerts()), "no better than " + expected);
            expected = new Outcome("", BETTER.get(name), "FIN");
        }
        boolean established = scripts == RECORDS_1_3 || scripts == RECORDS_1_2;
        for (StreamServer server : established && !SOAK ? servers.subList(0, 1) : servers) {
            assertEquals(expected, outcome(server.port(), version, scripts.get(name)));
        }
    }

    private static Stream<String> names(Map<String, Script> scripts) {
        return scripts.keySet().stream();
    }

    static Stream<String> hellos() {
        return names(HELLOS);
    }

    @ParameterizedTest
    @MethodSource
    void hellos(String name) throws Exception {
        check(HELLOS, name, TLS_1_3);
    }

    static Stream<String> handshakes() {
        return names(HANDSHAKES);
    }

    @ParameterizedTest
    @MethodSource
    void handshakes(String name) throws Exception {
        check(HANDSHAKES, name, TLS_1_3);
        check(HANDSHAKES, name, TLS_1_2);
    }

    static Stream<String> records13() {
        return names(RECORDS_1_3);
    }

    @ParameterizedTest
    @MethodSource
    void records13(String name) throws Exception {
        check(RECORDS_1_3, name, TLS_1_3);
    }

    static Stream<String> records12() {
        return names(RECORDS_1_2);
    }

    @ParameterizedTest
    @MethodSource
    void records12(String name) throws Exception {
        check(RECORDS_1_2, name, TLS_1_2);
    }
}
