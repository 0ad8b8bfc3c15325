package org.cabrank.bench.resp;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Finds the first command in received bytes: an array of strings, or the line PING.
 *
 * <pre>
 * *2\r\n  $3\r\nGET\r\n  $3\r\nkey\r\n
 * </pre>
 *
 * <p>Keeps nothing between two calls. The handler leaves an incomplete command unread, and the command is parsed again when more
 * bytes have arrived. The limits bound that work, and stay below the limit of unread bytes (64 KiB).
 */
final class RespParser {
    /** Bytes of a command, lengths included. */
    static final int COMMAND_BYTES_MAX = 32 << 10;

    static final int ARGUMENTS_MAX = 16;

    private static final int DIGITS_MAX = 6;
    private static final int INCOMPLETE = -1;
    private static final int LINE_END_BYTES = 2;
    private static final short LINE_END = '\r' << Byte.SIZE | '\n';
    private static final byte[] PING = {'P', 'I', 'N', 'G'};
    private static final byte[] PING_LINE = {'P', 'I', 'N', 'G', '\r', '\n'};

    private RespParser() {}

    /**
     * Returns copies of the arguments of the first command, its name included, and moves behind the command. Returns null, with the
     * position unchanged, if the command is incomplete.
     *
     * @param data at least one byte, in network byte order
     * @throws ProtocolException if the bytes are no command, or exceed a limit
     */
    static byte[][] next(ByteBuffer data) throws ProtocolException {
        int start = data.position();
        byte[][] command = data.get(start) == '*' ? array(data) : line(data);
        if (command == null) {
            data.position(start);
        }
        return command;
    }

    private static byte[][] array(ByteBuffer data) throws ProtocolException {
        int end = data.position() + COMMAND_BYTES_MAX;
        int count = number(data, '*', "invalid multibulk length");
        if (count == INCOMPLETE) {
            return null;
        }
        if (count == 0 || count > ARGUMENTS_MAX) {
            throw new ProtocolException("invalid multibulk length");
        }
        int[] offsets = new int[count];
        int[] lengths = new int[count];
        for (int i = 0; i < count; i++) {
            int length = number(data, '$', "invalid bulk length");
            if (length == INCOMPLETE) {
                return null;
            }
            offsets[i] = data.position();
            lengths[i] = length;
            int next = offsets[i] + length + LINE_END_BYTES;
            if (next > end) {
                throw new ProtocolException("invalid bulk length");
            }
            if (next > data.limit()) {
                return null;
            }
            if (data.getShort(next - LINE_END_BYTES) != LINE_END) {
                throw new ProtocolException("invalid bulk length");
            }
            data.position(next);
        }
        byte[][] arguments = new byte[count][];
        for (int i = 0; i < count; i++) {
            arguments[i] = new byte[lengths[i]];
            data.get(offsets[i], arguments[i]);
        }
        return arguments;
    }

    /** Reads a line such as {@code $3}, and moves behind the line; or returns {@link #INCOMPLETE}. */
    private static int number(ByteBuffer data, char type, String invalid) throws ProtocolException {
        if (!data.hasRemaining()) {
            return INCOMPLETE;
        }
        if (data.get() != type) {
            throw new ProtocolException("expected '" + type + "'");
        }
        int value = 0;
        for (int digits = 0; data.hasRemaining(); digits++) {
            byte next = data.get();
            if (next == '\r' && digits > 0) {
                if (!data.hasRemaining()) {
                    return INCOMPLETE;
                }
                if (data.get() != '\n') {
                    throw new ProtocolException(invalid);
                }
                return value;
            }
            if (next < '0' || next > '9' || digits == DIGITS_MAX) {
                throw new ProtocolException(invalid);
            }
            value = value * 10 + next - '0';
        }
        return INCOMPLETE;
    }

    /**
     * Reads the line PING, which redis-benchmark sends. Other commands in lines are refused: a browser could send them in a request that a
     * foreign page makes.
     */
    private static byte[][] line(ByteBuffer data) throws ProtocolException {
        for (byte expected : PING_LINE) {
            if (!data.hasRemaining()) {
                return null;
            }
            if (data.get() != expected) {
                throw new ProtocolException("expected an array, or PING and CR LF");
            }
        }
        return new byte[][] {PING};
    }
}
