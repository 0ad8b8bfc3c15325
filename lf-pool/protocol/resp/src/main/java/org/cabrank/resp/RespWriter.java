package org.cabrank.resp;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.cabrank.stream.Connection;
import org.cabrank.stream.WriteQueueFullException;

/**
 * Writes values of RESP to a connection: replies and pushes, or the commands of a client. Types that version 2 lacks are written to a
 * peer of that version in the form that Redis gives them there.
 *
 * <p>For callbacks of the connection; another thread writes in a task of {@link Connection#execute}. Values that a {@link RespHandler}
 * writes while it handles a pipeline are gathered and sent together; other values are sent one by one, each when it is complete. An
 * array is complete when its elements are.
 *
 * <p>Methods throw {@link WriteQueueFullException} as {@link Connection#write} does, when the peer does not take its replies. A part of
 * the value may have been written then, so the connection must be closed, as it is if the handler throws the exception.
 */
public final class RespWriter {
    private static final byte[] OK = ascii("+OK\r\n");
    private static final byte[] NULL = ascii("_\r\n");
    private static final byte[] NULL_BULK = ascii("$-1\r\n");
    private static final byte[] NULL_ARRAY = ascii("*-1\r\n");
    private static final byte[] TRUE = ascii("#t\r\n");
    private static final byte[] FALSE = ascii("#f\r\n");
    private static final byte[] LINE_END = ascii("\r\n");

    /** Bytes of a line with a number: a type, 20 characters and the end. */
    private static final int NUMBER_LINE_MAX = 24;

    /** Longer strings are written from where they are. */
    private static final int COPIED_MAX = ReplyBuffer.BYTES / 2;

    private static final int FORMAT_CHARACTERS = 3;

    /** Integers of this size have the same digits as a double and as a long. */
    private static final double INTEGRAL_MAX = 1e15;

    private final Connection connection;
    private final RespVersion version;
    private final OpenAggregates open = new OpenAggregates();

    /** Null: no byte is gathered. */
    private ReplyBuffer gathered;

    private boolean inBatch;
    private boolean wroteInBatch;

    RespWriter(Connection connection, RespVersion version) {
        this.connection = connection;
        this.version = version;
    }

    /** Returns a writer of version 2 for a connection without a {@link RespHandler}: for a client that writes commands. */
    public static RespWriter of(Connection connection) {
        return new RespWriter(Objects.requireNonNull(connection, "connection"), new RespVersion());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Version that values are written in: 2 at first. */
    public int version() {
        return version.number;
    }

    /**
     * Sets the version of this value and later ones, for the command HELLO.
     *
     * @param number 2 or 3
     */
    public void version(int number) {
        if (number != RespVersion.RESP2 && number != RespVersion.RESP3) {
            throw new IllegalArgumentException("RESP has the versions 2 and 3, not " + number);
        }
        version.number = number;
    }

    private boolean speaks3() {
        return version.number == RespVersion.RESP3;
    }

    /**
     * Sends what was written, and then closes the connection as {@link Connection#close} does. That method alone would drop the replies
     * that are gathered.
     */
    public void close() {
        flush();
        connection.close();
    }

    // ---- strings ----

    /** Writes the simple string {@code OK}. */
    public void ok() {
        constant(OK);
    }

    /** Writes a simple string. A line end in {@code text} becomes a space. */
    public void simple(String text) {
        line('+', text);
    }

    /**
     * Writes an error.
     *
     * @param text begins with a code in upper case: {@code ERR syntax error}. A line end in it becomes a space
     */
    public void error(String text) {
        line('-', text);
    }

    /** Writes an error of any content: a bulk error, or in version 2 a simple one. */
    public void bulkError(String text) {
        if (speaks3()) {
            string('!', text.getBytes(StandardCharsets.UTF_8));
        } else {
            error(text);
        }
    }

    /** Writes a string of bytes. */
    public void bulk(byte[] content) {
        string('$', content);
    }

    /** Writes a string in UTF-8. */
    public void bulk(String text) {
        string('$', text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a string of the remaining bytes of {@code content}, which are consumed. */
    public void bulk(ByteBuffer content) {
        if (open.isDiscarding()) {
            content.position(content.limit());
        } else {
            number('$', content.remaining());
            if (content.remaining() <= COPIED_MAX) {
                room(content.remaining()).put(content);
            } else {
                spill();
                connection.write(content);
            }
            room(LINE_END.length).put(LINE_END);
        }
        written();
    }

    /**
     * Writes a text with its format, or in version 2 a string of bytes.
     *
     * @param format three ASCII characters: {@code txt} or {@code mkd}
     */
    public void verbatim(String format, String text) {
        if (format.length() != FORMAT_CHARACTERS) {
            throw new IllegalArgumentException("a format has three characters, not '" + format + "'");
        }
        if (speaks3()) {
            string('=', (format + ":" + text).getBytes(StandardCharsets.UTF_8));
        } else {
            bulk(text);
        }
    }

    // ---- numbers and the like ----

    /** Writes an integer. */
    public void integer(long value) {
        if (!open.isDiscarding()) {
            number(':', value);
        }
        written();
    }

    /** Writes an integer of any size, or in version 2 its digits as a string. */
    public void bigNumber(BigInteger value) {
        if (speaks3()) {
            line('(', value.toString());
        } else {
            bulk(value.toString());
        }
    }

    /** Writes a floating-point number, or in version 2 its digits as a string; {@code inf}, {@code -inf} and {@code nan} are such. */
    public void decimal(double value) {
        if (speaks3()) {
            line(',', digits(value));
        } else {
            bulk(digits(value));
        }
    }

    private static String digits(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        return value == Math.rint(value) && Math.abs(value) < INTEGRAL_MAX
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** Writes a boolean, or in version 2 the integer 1 or 0. */
    public void bool(boolean value) {
        if (speaks3()) {
            constant(value ? TRUE : FALSE);
        } else {
            integer(value ? 1 : 0);
        }
    }

    /** Writes null, or in version 2 the string that is null. */
    public void nil() {
        constant(speaks3() ? NULL : NULL_BULK);
    }

    /** Writes null, or in version 2 the array that is null. */
    public void nilArray() {
        constant(speaks3() ? NULL : NULL_ARRAY);
    }

    // ---- aggregates ----

    /** Begins an array, whose elements are written next. */
    public void array(int elements) {
        aggregate('*', '*', elements, elements);
    }

    /** Begins a map, whose keys and values are written next, in turn; in version 2 an array of them. */
    public void map(int pairs) {
        aggregate(speaks3() ? '%' : '*', '%', pairs, 2L * pairs);
    }

    /** Begins a set, whose elements are written next; in version 2 an array of them. */
    public void set(int elements) {
        aggregate(speaks3() ? '~' : '*', '~', elements, elements);
    }

    /**
     * Begins a message that is no reply, whose elements are written next; in version 2 an array of them. Clients know a push by its type
     * in version 3, and by the state of the connection in version 2.
     *
     * @throws IllegalStateException within another value
     */
    public void push(int elements) {
        if (!open.isEmpty()) {
            throw new IllegalStateException("a push stands between values, and a value is incomplete: write it first");
        }
        aggregate(speaks3() ? '>' : '*', '>', elements, elements);
    }

    /**
     * Begins attributes, whose keys and values are written next, in turn, and then the value that they belong to. Version 2 has none: the
     * keys and values are dropped then.
     */
    public void attribute(int pairs) {
        requireCount(pairs);
        boolean dropped = !speaks3();
        if (!dropped && !open.isDiscarding()) {
            number('|', pairs);
        }
        if (pairs > 0) {
            open.open(2L * pairs, true);
            if (dropped) {
                open.discard();
            }
        }
    }

    private void aggregate(char type, char type3, int count, long elements) {
        requireCount(count);
        if (!open.isDiscarding()) {
            number(type, type == type3 ? count : elements);
        }
        if (elements == 0) {
            written();
        } else {
            open.open(elements, false);
        }
    }

    private static void requireCount(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("the number of elements is 0 or more, not " + count);
        }
    }

    // ---- bytes ----

    private void constant(byte[] line) {
        if (!open.isDiscarding()) {
            room(line.length).put(line);
        }
        written();
    }

    private void string(char type, byte[] content) {
        if (!open.isDiscarding()) {
            number(type, content.length);
            bytes(content);
            room(LINE_END.length).put(LINE_END);
        }
        written();
    }

    private void bytes(byte[] content) {
        if (content.length <= COPIED_MAX) {
            room(content.length).put(content);
        } else {
            spill();
            connection.write(ByteBuffer.wrap(content));
        }
    }

    private void line(char type, String text) {
        if (!open.isDiscarding()) {
            room(1).put((byte) type);
            if (text.length() > COPIED_MAX || !putAscii(room(Math.min(text.length(), COPIED_MAX)), text)) {
                bytes(text.replace('\r', ' ').replace('\n', ' ').getBytes(StandardCharsets.UTF_8));
            }
            room(LINE_END.length).put(LINE_END);
        }
        written();
    }

    /** Returns false, with nothing put, if the text is not ASCII. */
    private static boolean putAscii(ByteBuffer to, String text) {
        int start = to.position();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                to.position(start);
                return false;
            }
            to.put((byte) (character == '\r' || character == '\n' ? ' ' : character));
        }
        return true;
    }

    private void number(char type, long value) {
        ByteBuffer to = room(NUMBER_LINE_MAX);
        to.put((byte) type);
        if (value >= 0 && value < 10) {
            to.put((byte) ('0' + value));
        } else {
            putDigits(to, value);
        }
        to.put(LINE_END);
    }

    private static void putDigits(ByteBuffer to, long value) {
        if (value < 0) {
            to.put((byte) '-');
        }
        long rest = value < 0 ? value : -value; // negative, because the least long has no positive counterpart
        int digits = 1;
        for (long more = rest / 10; more != 0; more /= 10) {
            digits++;
        }
        int end = to.position() + digits;
        for (int at = end - 1; at >= end - digits; at--) {
            to.put(at, (byte) ('0' - rest % 10));
            rest /= 10;
        }
        to.position(end);
    }

    /** Returns the buffer with room for so many bytes, of {@link #COPIED_MAX} at most. */
    private ByteBuffer room(int count) {
        if (gathered == null) {
            gathered = ReplyBuffer.borrow();
        } else if (gathered.bytes.remaining() < count) {
            writeGathered();
        }
        return gathered.bytes;
    }

    private void writeGathered() {
        ByteBuffer bytes = gathered.bytes;
        bytes.flip();
        wroteInBatch = true;
        try {
            connection.write(bytes);
        } finally {
            bytes.clear();
        }
    }

    private void spill() {
        if (gathered != null) {
            writeGathered();
        }
    }

    private void written() {
        if (open.elementWritten() && !inBatch) {
            flush();
        }
    }

    void flush() {
        if (gathered == null) {
            return;
        }
        try {
            writeGathered();
        } finally {
            gathered.giveBack();
            gathered = null;
        }
    }

    // ---- the decoder's batches ----

    /** Values are gathered from now on. */
    void beginBatch() {
        inBatch = true;
        wroteInBatch = false;
    }

    /** Returns true if bytes of the present batch were handed to the connection. */
    boolean wroteInBatch() {
        return wroteInBatch;
    }

    /** Hands all gathered bytes to the connection; values are sent one by one from now on. */
    void endBatch() {
        inBatch = false;
        flush();
    }
}
