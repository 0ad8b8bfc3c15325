package org.cabrank.tls;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.cabrank.lf.fixture.Await;

/**
 * A client of TLS by hand, which may send what no library sends: TLS 1.3 (RFC 8446) and 1.2 (RFC 5246, 8422, 5288) with X25519, AES-128-GCM
 * and SHA-256. The server's certificate is not checked.
 */
final class RawTlsClient implements AutoCloseable {
    static final int CHANGE_CIPHER_SPEC = 20;
    static final int ALERT = 21;
    static final int HANDSHAKE = 22;
    static final int DATA = 23;
    static final int CLIENT_HELLO = 1;
    static final int KEY_UPDATE = 24;
    static final int TLS_1_2 = 0x0303;
    static final int TLS_1_3 = 0x0304;

    /** Extensions. */
    static final int GROUPS = 10;

    private static final int SIGNATURES = 13;
    private static final int VERSIONS = 43;
    private static final int KEY_SHARE = 51;

    private static final int HELLO_RETRY_OR_SERVER_HELLO = 2;
    private static final int SERVER_KEY_EXCHANGE = 12;
    private static final int SERVER_HELLO_DONE = 14;
    private static final int CLIENT_KEY_EXCHANGE = 16;
    private static final int FINISHED = 20;
    private static final int X25519 = 29;
    private static final int SECP256R1 = 23;
    private static final int KEY_BYTES = 32;
    private static final int TAG_BITS = 128;
    private static final int HASH_BYTES = 32;
    private static final byte[] NONE = {};

    /** Keys of one direction. */
    private final class Keys {
        private byte[] secret;
        private SecretKeySpec key;
        private byte[] iv;
        private long sequence;

        /** TLS 1.3. */
        Keys(byte[] secret) throws GeneralSecurityException {
            use(secret);
        }

        /** TLS 1.2. */
        Keys(byte[] key, byte[] iv) {
            this.key = new SecretKeySpec(key, "AES");
            this.iv = iv;
        }

        private void use(byte[] traffic) throws GeneralSecurityException {
            secret = traffic;
            key = new SecretKeySpec(expand(traffic, "key", NONE, 16), "AES");
            iv = expand(traffic, "iv", NONE, 12);
            sequence = 0;
        }

        void update() throws GeneralSecurityException {
            use(expand(secret, "traffic upd", NONE, HASH_BYTES));
        }

        byte[] seal(int type, byte[] content, int padding) throws GeneralSecurityException {
            if (secret == null) {
                byte[] explicit = longBytes(sequence);
                byte[] sealed = cipher(Cipher.ENCRYPT_MODE, concat(iv, explicit), additional(type, content.length))
                        .doFinal(content);
                sequence++;
                return record(type, TLS_1_2, concat(explicit, sealed));
            }
            byte[] inner = Arrays.copyOf(concat(content, new byte[] {(byte) type}), content.length + 1 + padding);
            return sealInner(inner);
        }

        /** TLS 1.3: a record whose inner content, with its type, is given. */
        byte[] sealInner(byte[] inner) throws GeneralSecurityException {
            byte[] header = {DATA, 3, 3, (byte) (inner.length + 16 >> 8), (byte) (inner.length + 16)};
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce(), header).doFinal(inner);
            sequence++;
            return concat(header, sealed);
        }

        /** Returns the content, and the type behind it. */
        byte[] open(byte[] header, byte[] sealed) throws GeneralSecurityException {
            if (secret == null) {
                byte[] nonce = concat(iv, Arrays.copyOf(sealed, 8));
                byte[] content = cipher(Cipher.DECRYPT_MODE, nonce, additional(header[0], sealed.length - 24))
                        .doFinal(sealed, 8, sealed.length - 8);
                sequence++;
                return concat(content, new byte[] {header[0]});
            }
            byte[] inner = cipher(Cipher.DECRYPT_MODE, nonce(), header).doFinal(sealed);
            sequence++;
            int end = inner.length;
            while (inner[end - 1] == 0) {
                end--;
            }
            return Arrays.copyOf(inner, end);
        }

        private byte[] additional(int type, int length) {
            return ByteBuffer.allocate(13)
                    .putLong(sequence)
                    .put((byte) type)
                    .putShort((short) TLS_1_2)
                    .putShort((short) length)
                    .array();
        }

        private byte[] nonce() {
            byte[] nonce = iv.clone();
            byte[] count = longBytes(sequence);
            for (int i = 0; i < 8; i++) {
                nonce[4 + i] ^= count[i];
            }
            return nonce;
        }

        private Cipher cipher(int mode, byte[] nonce, byte[] additional) throws GeneralSecurityException {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(additional);
            return cipher;
        }
    }

    final int version;
    private final Socket socket = new Socket();
    private final KeyPair pair;
    private final byte[] random = new byte[KEY_BYTES];
    private final ByteArrayOutputStream transcript = new ByteArrayOutputStream();

    /** Bytes of handshake messages that have been received and not read. */
    private byte[] messages = NONE;

    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final List<String> alerts = new ArrayList<>();
    private String end;

    /** Null: nothing is encrypted yet. */
    private Keys own;

    private Keys ofServer;

    /** Keys of data, behind the last message of the handshake. */
    private Keys next;

    private Keys nextOfServer;

    /** The finished message of this side. */
    private byte[] toFinish;

    private int keyUpdates;

    RawTlsClient(SocketAddress server, int version) throws IOException, GeneralSecurityException {
        this.version = version;
        KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519");
        pair = generator.generateKeyPair();
        Arrays.fill(random, (byte) 7);
        socket.setSoTimeout((int) (Await.PATIENCE_NS / 1_000_000));
        socket.setTcpNoDelay(true);
        socket.connect(server);
    }

    // ---- bytes ----

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] longBytes(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    static byte[] shorts(int... values) {
        ByteBuffer all = ByteBuffer.allocate(2 * values.length);
        for (int value : values) {
            all.putShort((short) value);
        }
        return all.array();
    }

    static byte[] bytes(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) values[i];
        }
        return all;
    }

    /** A vector with a length of two bytes. */
    static byte[] vector(byte[] content) {
        return concat(shorts(content.length), content);
    }

    static byte[] record(int type, int version, byte[] content) {
        return concat(bytes(type), shorts(version, content.length), content);
    }

    static byte[] message(int type, byte[] body) {
        return concat(bytes(type, body.length >> 16, body.length >> 8, body.length), body);
    }

    static byte[] extension(int type, byte[] content) {
        return concat(shorts(type), vector(content));
    }

    // ---- hello ----

    /** Returns the extensions of an ordinary hello. */
    byte[] extensions() {
        byte[] common = concat(
                extension(GROUPS, vector(shorts(X25519, SECP256R1))),
                extension(SIGNATURES, vector(shorts(0x0403, 0x0503, 0x0804, 0x0401))));
        return version == TLS_1_2
                ? concat(common, extension(11, bytes(1, 0)))
                : concat(
                        common,
                        extension(VERSIONS, bytes(2, 3, 4)),
                        extension(KEY_SHARE, vector(concat(shorts(X25519), vector(publicKey())))));
    }

    private byte[] publicKey() {
        byte[] big = ((XECPublicKey) pair.getPublic()).getU().toByteArray();
        byte[] little = new byte[KEY_BYTES];
        for (int i = 0; i < Math.min(big.length, KEY_BYTES); i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }

    byte[] hello() {
        return hello(extensions());
    }

    byte[] hello(byte[] extensions) {
        return message(
                CLIENT_HELLO, helloBody(shorts(version == TLS_1_2 ? 0xc02b : 0x1301), bytes(1, 0), vector(extensions)));
    }

    byte[] helloBody(byte[] suites, byte[] compression, byte[] extensions) {
        return concat(
                shorts(TLS_1_2),
                random,
                bytes(KEY_BYTES),
                new byte[KEY_BYTES],
                vector(suites),
                compression,
                extensions);
    }

    // ---- sending ----

    /** Sends bytes. A server that has ended the connection is no failure. */
    RawTlsClient send(byte[]... parts) {
        try {
            socket.getOutputStream().write(concat(parts));
        } catch (IOException ended) {
            end = null; // seen when reading
        }
        return this;
    }

    /** Sends a record with the keys of the present state, or none. */
    RawTlsClient sendRecord(int type, byte[] content) throws GeneralSecurityException {
        return send(sealed(type, content));
    }

    byte[] sealed(int type, byte[] content) throws GeneralSecurityException {
        return own == null ? record(type, TLS_1_2, content) : own.seal(type, content, 0);
    }

    byte[] padded(int type, byte[] content, int padding) throws GeneralSecurityException {
        return own.seal(type, content, padding);
    }

    byte[] sealedInner(byte[] inner) throws GeneralSecurityException {
        return own.sealInner(inner);
    }

    /** TLS 1.3: announces new keys, and uses them. */
    RawTlsClient updateKeys(int request) throws GeneralSecurityException {
        sendRecord(HANDSHAKE, message(KEY_UPDATE, bytes(request)));
        own.update();
        return this;
    }

    void useNextKeys() throws GeneralSecurityException {
        own.update();
    }

    // ---- handshake ----

    /** Makes an ordinary handshake. */
    RawTlsClient shake() throws IOException, GeneralSecurityException {
        byte[] hello = hello();
        send(record(HANDSHAKE, TLS_1_2, hello));
        return shakeBehind(hello);
    }

    /** Makes the rest of a handshake; does nothing more if the server has ended it. */
    RawTlsClient shakeBehind(byte[] hello) throws IOException, GeneralSecurityException {
        readFlight(hello);
        return end == null ? finish() : this;
    }

    /** Reads what the server sends behind the hello. {@link #finish} follows. */
    void readFlight(byte[] hello) throws IOException, GeneralSecurityException {
        transcript.writeBytes(hello);
        byte[] serverHello = nextMessage(HELLO_RETRY_OR_SERVER_HELLO);
        if (end != null) {
            return;
        }
        if (version == TLS_1_2) {
            readFlight12(serverHello);
        } else {
            readFlight13(serverHello);
        }
    }

    private void readFlight13(byte[] serverHello) throws IOException, GeneralSecurityException {
        byte[] shared = agree(lastBytes(serverHello, keyShareEnd(serverHello), KEY_BYTES));
        byte[] empty = sha256(NONE);
        byte[] early = hmac(new byte[HASH_BYTES], new byte[HASH_BYTES]);
        byte[] handshake = hmac(expand(early, "derived", empty, HASH_BYTES), shared);
        byte[] hash = sha256(transcript.toByteArray());
        byte[] ownSecret = expand(handshake, "c hs traffic", hash, HASH_BYTES);
        ofServer = new Keys(expand(handshake, "s hs traffic", hash, HASH_BYTES));
        nextMessage(FINISHED);
        if (end != null) {
            return;
        }
        byte[] master = hmac(expand(handshake, "derived", empty, HASH_BYTES), new byte[HASH_BYTES]);
        byte[] finished = sha256(transcript.toByteArray());
        own = new Keys(ownSecret);
        toFinish = message(FINISHED, hmac(expand(ownSecret, "finished", NONE, HASH_BYTES), finished));
        next = new Keys(expand(master, "c ap traffic", finished, HASH_BYTES));
        ofServer = new Keys(expand(master, "s ap traffic", finished, HASH_BYTES));
    }

    private void readFlight12(byte[] serverHello) throws IOException, GeneralSecurityException {
        byte[] serverRandom = Arrays.copyOfRange(serverHello, 6, 6 + KEY_BYTES);
        byte[] exchange = nextMessage(SERVER_KEY_EXCHANGE);
        if (end != null) {
            return;
        }
        byte[] shared = agree(Arrays.copyOfRange(exchange, 8, 8 + KEY_BYTES));
        nextMessage(SERVER_HELLO_DONE);
        byte[] clientKey = message(CLIENT_KEY_EXCHANGE, concat(bytes(KEY_BYTES), publicKey()));
        send(record(HANDSHAKE, TLS_1_2, clientKey));
        transcript.writeBytes(clientKey);
        byte[] master = prf(shared, "master secret", concat(random, serverRandom), 48);
        byte[] block = prf(master, "key expansion", concat(serverRandom, random), 40);
        next = new Keys(Arrays.copyOf(block, 16), Arrays.copyOfRange(block, 32, 36));
        nextOfServer = new Keys(Arrays.copyOfRange(block, 16, 32), Arrays.copyOfRange(block, 36, 40));
        toFinish = message(FINISHED, prf(master, "client finished", sha256(transcript.toByteArray()), 12));
        transcript.writeBytes(toFinish);
    }

    /** Sends the last message of the handshake, and uses the keys of data from then on. */
    RawTlsClient finish() throws IOException, GeneralSecurityException {
        if (end != null) {
            return this;
        }
        if (version == TLS_1_2) {
            send(record(CHANGE_CIPHER_SPEC, TLS_1_2, bytes(1)));
            own = next;
            sendRecord(HANDSHAKE, toFinish);
            nextMessage(FINISHED);
        } else {
            sendRecord(HANDSHAKE, toFinish);
            own = next;
        }
        return this;
    }

    byte[] finished() {
        return toFinish;
    }

    /** TLS 1.3: sends the last message of the handshake, and a record behind that in the same segment. */
    void finishWith(int type, byte[] content) throws GeneralSecurityException {
        byte[] last = sealed(HANDSHAKE, toFinish);
        own = next;
        send(last, sealed(type, content));
    }

    /** Returns true if the keys of data are in use. */
    boolean isEstablished() {
        return next != null && own == next;
    }

    private byte[] agree(byte[] little) throws GeneralSecurityException {
        byte[] big = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++) {
            big[i] = little[KEY_BYTES - 1 - i];
        }
        KeyAgreement agreement = KeyAgreement.getInstance("X25519");
        agreement.init(pair.getPrivate());
        agreement.doPhase(
                KeyFactory.getInstance("X25519")
                        .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, big))),
                true);
        return agreement.generateSecret();
    }

    /** Returns the position behind the key in a server hello. */
    private static int keyShareEnd(byte[] serverHello) {
        ByteBuffer hello = ByteBuffer.wrap(serverHello, 4 + 2 + KEY_BYTES, serverHello.length - 4 - 2 - KEY_BYTES);
        hello.position(hello.position() + 1 + hello.get(hello.position()) + 3 + 2);
        while (hello.hasRemaining()) {
            int type = hello.getShort();
            int length = hello.getShort();
            hello.position(hello.position() + length);
            if (type == KEY_SHARE) {
                return hello.position();
            }
        }
        throw new AssertionError("no key");
    }

    private static byte[] lastBytes(byte[] all, int end, int count) {
        return Arrays.copyOfRange(all, end - count, end);
    }

    // ---- keys ----

    private static byte[] sha256(byte[] bytes) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    private static byte[] hmac(byte[] key, byte[] bytes) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(bytes);
    }

    /** HKDF-Expand-Label (RFC 8446, 7.1), of a hash's length at most. */
    private static byte[] expand(byte[] secret, String label, byte[] context, int length)
            throws GeneralSecurityException {
        byte[] full = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
        byte[] info = concat(shorts(length), bytes(full.length), full, bytes(context.length), context, bytes(1));
        return Arrays.copyOf(hmac(secret, info), length);
    }

    /** PRF (RFC 5246, 5). */
    private static byte[] prf(byte[] secret, String label, byte[] seed, int length) throws GeneralSecurityException {
        byte[] labelled = concat(label.getBytes(StandardCharsets.US_ASCII), seed);
        byte[] a = labelled;
        byte[] all = NONE;
        while (all.length < length) {
            a = hmac(secret, a);
            all = concat(all, hmac(secret, concat(a, labelled)));
        }
        return Arrays.copyOf(all, length);
    }

    // ---- receiving ----

    /** Reads messages up to one of the type, which is returned, or to the end of the connection. */
    private byte[] nextMessage(int type) throws IOException, GeneralSecurityException {
        while (end == null) {
            if (messages.length >= 4) {
                int length = (messages[1] & 0xff) << 16 | (messages[2] & 0xff) << 8 | messages[3] & 0xff;
                if (messages.length >= 4 + length) {
                    byte[] message = Arrays.copyOf(messages, 4 + length);
                    messages = Arrays.copyOfRange(messages, 4 + length, messages.length);
                    transcript.writeBytes(message);
                    if (message[0] == type) {
                        return message;
                    }
                    continue;
                }
            }
            readRecord();
        }
        return NONE;
    }

    private void readRecord() throws GeneralSecurityException {
        try {
            byte[] header = readFully(5);
            byte[] body = readFully((header[3] & 0xff) << 8 | header[4] & 0xff);
            int type = header[0];
            byte[] content = body;
            boolean sealed = ofServer != null && (version == TLS_1_2 || type == DATA);
            if (sealed) {
                byte[] inner = ofServer.open(header, body);
                type = inner[inner.length - 1];
                content = Arrays.copyOf(inner, inner.length - 1);
            }
            switch (type) {
                case ALERT -> alerts.add(content[0] + "," + content[1]);
                case HANDSHAKE -> messages = concat(messages, content);
                case DATA -> data.writeBytes(content);
                default -> {
                    if (version == TLS_1_2) {
                        ofServer = nextOfServer;
                    }
                }
            }
        } catch (EOFException ended) {
            end = "FIN";
        } catch (SocketTimeoutException late) {
            end = "hangs";
        } catch (IOException reset) {
            end = "RST";
        }
    }

    private byte[] readFully(int count) throws IOException {
        byte[] all = socket.getInputStream().readNBytes(count);
        if (all.length < count) {
            throw new EOFException();
        }
        return all;
    }

    /** Reads key updates of the server, and data until there are so many bytes. */
    RawTlsClient awaitData(int count) throws GeneralSecurityException {
        while (end == null && data.size() < count) {
            readRecord();
            followKeyUpdates();
        }
        return this;
    }

    private void followKeyUpdates() throws GeneralSecurityException {
        while (version == TLS_1_3 && messages.length >= 4) {
            int length = 4 + ((messages[2] & 0xff) << 8 | messages[3] & 0xff);
            if (messages[0] == KEY_UPDATE) {
                keyUpdates++;
                ofServer.update();
            }
            messages = Arrays.copyOfRange(messages, Math.min(length, messages.length), messages.length);
        }
    }

    int keyUpdates() {
        return keyUpdates;
    }

    /** Ends the output without an alert, reads to the end, and returns the text, alerts and end that have come. */
    Outcome outcome() throws IOException, GeneralSecurityException {
        try {
            socket.shutdownOutput();
        } catch (IOException ended) {
            messages = NONE;
        }
        while (end == null) {
            readRecord();
            if (isEstablished()) {
                followKeyUpdates();
            }
        }
        return new Outcome(data.toString(StandardCharsets.ISO_8859_1), List.copyOf(alerts), end);
    }

    /** @param alerts each as {@code level,description} */
    record Outcome(String text, List<String> alerts, String end) {
        @Override
        public String toString() {
            return (text.length() > 20 ? text.length() + " characters" : text) + alerts + end;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
