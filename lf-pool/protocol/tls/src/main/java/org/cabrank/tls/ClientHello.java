package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The first message of a client (RFC 8446, 4.1.2). This class reads only its server name (RFC 6066, 3). */
final class ClientHello {
    static final String INCOMPLETE = new String("incomplete");

    /** Largest content of an unencrypted record in bytes (RFC 8446, 5.1). */
    private static final int RECORD_MAX = 1 << 14;

    private static final int CLIENT_HELLO = 1;
    private static final int MESSAGE_HEADER = 4;
    private static final int VERSION_AND_RANDOM = 34;
    private static final int SERVER_NAME_EXTENSION = 0;

    private ClientHello() {}

    /** Returns the name in lower case, or {@link #INCOMPLETE}. Returns null if there is no name, or if the engine will refuse the bytes. */
    static String serverName(ByteBuffer records) {
        ByteBuffer message = ByteBuffer.allocate(records.remaining());
        ByteBuffer from = records.duplicate();
        while (from.remaining() >= TlsRecords.HEADER_BYTES) {
            int at = from.position();
            int length = TlsRecords.contentBytes(from, at);
            if (from.get(at) != TlsRecords.HANDSHAKE || length == 0 || length > RECORD_MAX) {
                return null;
            }
            int present = Math.min(length, from.remaining() - TlsRecords.HEADER_BYTES);
            message.put(from.slice(at + TlsRecords.HEADER_BYTES, present));
            from.position(at + TlsRecords.HEADER_BYTES + present);
        }
        message.flip();
        if (message.remaining() >= 1 && message.get(0) != CLIENT_HELLO) {
            return null;
        }
        if (message.remaining() < MESSAGE_HEADER) {
            return INCOMPLETE;
        }
        int length = message.getInt(0) & 0xffffff;
        if (message.remaining() < MESSAGE_HEADER + length) {
            return INCOMPLETE;
        }
        return read(message.slice(MESSAGE_HEADER, length));
    }

    private static String read(ByteBuffer hello) {
        try {
            hello.position(VERSION_AND_RANDOM);
            skip(hello, hello.get() & 0xff);
            skip(hello, hello.getShort() & 0xffff);
            skip(hello, hello.get() & 0xff);
            if (!hello.hasRemaining()) {
                return null;
            }
            int extensionsEnd = (hello.getShort() & 0xffff) + hello.position();
            while (hello.position() < extensionsEnd) {
                int type = hello.getShort() & 0xffff;
                int size = hello.getShort() & 0xffff;
                if (type == SERVER_NAME_EXTENSION) {
                    return name(hello);
                }
                skip(hello, size);
            }
            return null;
        } catch (RuntimeException malformed) { // out of bounds; the engine refuses the hello
            return null;
        }
    }

    /** Returns the first name of the list, in practice the only one. Returns null if its type is not host_name. */
    private static String name(ByteBuffer hello) {
        hello.getShort();
        if (hello.get() != 0) {
            return null;
        }
        byte[] name = new byte[hello.getShort() & 0xffff];
        hello.get(name);
        return new String(name, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    }

    private static void skip(ByteBuffer hello, int bytes) {
        hello.position(hello.position() + bytes);
    }
}
