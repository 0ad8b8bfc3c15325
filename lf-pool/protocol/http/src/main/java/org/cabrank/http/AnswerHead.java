package org.cabrank.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.cabrank.http.message.HttpDate;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.BodyDecoder;
import org.cabrank.http.wire.MessageText;
import org.cabrank.http.wire.RequestFraming;

final class AnswerHead {
    static final long CHUNKED = RequestFraming.CHUNKED;

    static final long UNTIL_END = BodyDecoder.UNTIL_END;

    /** Length of an answer that has neither a body nor a field that announces a body. */
    static final long NO_BODY = -3;

    static final int OWN_BYTES_MAX = 256;

    private static final byte[][] STATUS_LINES = new byte[HttpStatus.MAX + 1][];
    private static final byte[] CLOSE = MessageText.bytes("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = MessageText.bytes("Connection: keep-alive\r\n");
    private static final byte[] LENGTH = MessageText.bytes("Content-Length: ");
    private static final byte[] IN_CHUNKS = MessageText.bytes("Transfer-Encoding: chunked\r\n");

    private AnswerHead() {}

    static void statusLine(ByteBuffer to, int status) {
        byte[] line = STATUS_LINES[status];
        if (line == null) {
            line = MessageText.bytes("HTTP/1.1 " + status + " " + HttpStatus.reason(status) + "\r\n");
            STATUS_LINES[status] = line;
        }
        to.put(line);
        if (status >= HttpStatus.OK) {
            to.put(HttpDate.fieldLine());
        }
    }

    static void connection(ByteBuffer to, boolean closes, boolean version10) {
        if (closes) {
            to.put(CLOSE);
        } else if (version10) {
            to.put(KEEP_ALIVE);
        }
    }

    static void framing(ByteBuffer to, long length) {
        if (length >= 0) {
            to.put(LENGTH);
            MessageText.number(to, length, 10);
            end(to);
        } else if (length == CHUNKED) {
            to.put(IN_CHUNKS);
        }
    }

    /** Puts characters as ISO 8859-1. */
    static void put(ByteBuffer to, String text) {
        for (int i = 0; i < text.length(); i++) {
            to.put((byte) text.charAt(i));
        }
    }

    static void end(ByteBuffer to) {
        MessageText.lineEnd(to);
    }

    static final class Added {
        private static final int INITIAL = 256;

        private byte[] lines = {};
        private int count;

        void clear() {
            count = 0;
        }

        int bytes() {
            return count;
        }

        void truncate(int bytes) {
            count = bytes;
        }

        @SuppressWarnings("deprecation") // the other variants of getBytes allocate
        void add(String name, String value) {
            int needed = count + name.length() + value.length() + 4;
            if (needed > lines.length) {
                lines = Arrays.copyOf(lines, Math.max(needed, Math.max(INITIAL, 2 * lines.length)));
            }
            name.getBytes(0, name.length(), lines, count);
            count += name.length();
            lines[count++] = ':';
            lines[count++] = ' ';
            value.getBytes(0, value.length(), lines, count);
            count += value.length();
            lines[count++] = '\r';
            lines[count++] = '\n';
        }

        byte[] lines() {
            return lines;
        }

        void putInto(ByteBuffer to) {
            if (count > 0) {
                to.put(lines, 0, count);
            }
        }
    }
}
