package org.cabrank.resp;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * Reads the values that a server sends, of both versions, for a client. Keeps an incomplete value until its rest has come. Values are
 * objects: for tests, tools and clients without a need for speed. Used by one thread at a time.
 */
public final class RespReader {
    private static final int NO_STRING = -1;
    private static final int LINE_END_BYTES = 2;
    private static final int FORMAT_CHARACTERS = 3;
    private static final int DIGITS_MAX = 19;
    private static final int STRING_BYTES_FIRST = 4 << 10;

    private final RespLimits limits;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** Aggregates that are incomplete, the innermost first. */
    private final Deque<Level> levels = new ArrayDeque<>();

    /** Type of the string that is being received. */
    private byte stringType;

    /** Length of the string that is being received, or {@link #NO_STRING}. */
    private int stringLength = NO_STRING;

    private ByteArrayOutputStream string;

    /** Bytes of the present value. */
    private long total;

    /** An aggregate whose elements are being received. */
    private static final class Level {
        final byte type;
        final long wanted;
        final List<RespValue> elements = new ArrayList<>();

        /** Attributes in front of the next element; null: it has none. */
        RespValue.MapValue attributes;

        Level(byte type, long wanted) {
            this.type = type;
            this.wanted = wanted;
        }
    }

    /** Attributes in front of the present value; null: it has none. */
    private RespValue.MapValue attributes;

    /** A reader with default limits. */
    public RespReader() {
        this(RespLimits.DEFAULT);
    }

    public RespReader(RespLimits limits) {
        this.limits = Objects.requireNonNull(limits, "limits");
    }

    /**
     * Reads one value. Consumes the bytes of the value, or all if it is incomplete.
     *
     * @return null if the value is incomplete: call again when more bytes have come
     * @throws RespException if the bytes are no RESP, or exceed a limit; the reader cannot be used any more
     */
    public RespValue read(ByteBuffer data) throws RespException {
        while (data.hasRemaining()) {
            RespValue value = stringLength == NO_STRING ? readLine(data) : readString(data);
            value = value == null ? null : completed(value);
            if (value != null) {
                total = 0;
                return value;
            }
        }
        return null;
    }

    private void count(int bytes) throws RespException {
        total += bytes;
        if (total > limits.totalBytesMax()) {
            throw new RespException("a value exceeds " + limits.totalBytesMax() + " bytes");
        }
    }

    // ---- lines ----

    /** Returns the value of a line; null if the line is incomplete or begins a longer value. */
    private RespValue readLine(ByteBuffer data) throws RespException {
        while (data.hasRemaining()) {
            byte next = data.get();
            line.write(next);
            if (next == '\n') {
                byte[] bytes = line.toByteArray();
                line.reset();
                count(bytes.length);
                return value(bytes);
            }
            if (line.size() > limits.lineBytesMax()) {
                throw new RespException("a line exceeds " + limits.lineBytesMax() + " bytes");
            }
        }
        return null;
    }

    private RespValue value(byte[] bytes) throws RespException {
        int end = bytes.length - LINE_END_BYTES;
        if (end < 1 || bytes[end] != '\r') {
            throw new RespException("a line does not end with CR LF");
        }
        String text = new String(bytes, 1, end - 1, StandardCharsets.UTF_8);
        byte type = bytes[0];
        switch (type) {
            case '+':
                return new RespValue.SimpleString(text);
            case '-':
                return new RespValue.ErrorReply(text, false);
            case ':':
                return new RespValue.IntegerValue(number(text));
            case '(':
                return new RespValue.BigNumber(bigNumber(text));
            case ',':
                return new RespValue.Decimal(decimal(text));
            case '#':
                return new RespValue.Bool(bool(text));
            case '_':
                return nil(text);
            case '$', '!', '=':
                return beginString(type, text);
            case '*', '~', '>', '%', '|':
                return beginAggregate(type, text);
            default:
                throw new RespException("no type of value begins with byte " + (type & 0xff));
        }
    }

    private static long number(String text) throws RespException {
        boolean wellFormed = !text.isEmpty() && text.length() <= DIGITS_MAX + 1;
        try {
            if (wellFormed) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException noNumber) {
            wellFormed = false;
        }
        throw new RespException("a number is malformed");
    }

    private static BigInteger bigNumber(String text) throws RespException {
        try {
            return new BigInteger(text);
        } catch (NumberFormatException noNumber) {
            throw new RespException("a big number is malformed");
        }
    }

    private static double decimal(String text) throws RespException {
        switch (text) {
            case "inf":
                return Double.POSITIVE_INFINITY;
            case "-inf":
                return Double.NEGATIVE_INFINITY;
            case "nan":
                return Double.NaN;
            default:
                break;
        }
        if (!text.matches("[+-]?\\d+(\\.\\d*)?([eE][+-]?\\d+)?")) {
            throw new RespException("a floating-point number is malformed");
        }
        return Double.parseDouble(text);
    }

    private static boolean bool(String text) throws RespException {
        if (!text.equals("t") && !text.equals("f")) {
            throw new RespException("a boolean is neither t nor f");
        }
        return text.equals("t");
    }

    private static RespValue nil(String text) throws RespException {
        if (!text.isEmpty()) {
            throw new RespException("a null has content");
        }
        return new RespValue.Nil();
    }

    // ---- strings ----

    private RespValue beginString(byte type, String text) throws RespException {
        long length = length(text);
        if (length == -1 && type == '$') {
            return new RespValue.Nil();
        }
        if (length < 0 || length > limits.stringBytesMax()) {
            throw new RespException("a string of " + length + " bytes; allowed: 0 to " + limits.stringBytesMax());
        }
        stringType = type;
        stringLength = (int) length;
        string = new ByteArrayOutputStream((int) Math.min(STRING_BYTES_FIRST, length + LINE_END_BYTES));
        return null;
    }

    private static long length(String text) throws RespException {
        if (text.equals("?")) {
            throw new RespException("values of unknown length are not supported");
        }
        return number(text);
    }

    private RespValue readString(ByteBuffer data) throws RespException {
        int missing = stringLength + LINE_END_BYTES - string.size();
        byte[] piece = new byte[Math.min(missing, data.remaining())];
        data.get(piece);
        count(piece.length);
        string.writeBytes(piece);
        if (piece.length < missing) {
            return null;
        }
        byte[] bytes = string.toByteArray();
        string = null;
        int length = stringLength;
        stringLength = NO_STRING;
        if (bytes[length] != '\r' || bytes[length + 1] != '\n') {
            throw new RespException("a string does not end with CR LF");
        }
        byte[] content = java.util.Arrays.copyOf(bytes, length);
        return switch (stringType) {
            case '!' -> new RespValue.ErrorReply(new String(content, StandardCharsets.UTF_8), true);
            case '=' -> verbatim(new String(content, StandardCharsets.UTF_8));
            default -> new RespValue.BulkString(content);
        };
    }

    private static RespValue verbatim(String text) throws RespException {
        if (text.length() <= FORMAT_CHARACTERS || text.charAt(FORMAT_CHARACTERS) != ':') {
            throw new RespException("a verbatim string has no format");
        }
        return new RespValue.VerbatimString(
                text.substring(0, FORMAT_CHARACTERS), text.substring(FORMAT_CHARACTERS + 1));
    }

    // ---- aggregates ----

    private RespValue beginAggregate(byte type, String text) throws RespException {
        long length = length(text);
        if (length == -1 && type == '*') {
            return new RespValue.Nil();
        }
        if (length < 0 || length > limits.elementsMax()) {
            throw new RespException("an aggregate of " + length + " elements; allowed: 0 to " + limits.elementsMax());
        }
        if (type == '>' && !levels.isEmpty()) {
            throw new RespException("a push stands within another value");
        }
        Level level = new Level(type, type == '%' || type == '|' ? 2 * length : length);
        if (level.wanted > 0) {
            if (levels.size() == limits.nestingMax()) {
                throw new RespException("a value has more than " + limits.nestingMax() + " levels");
            }
            levels.push(level);
            return null;
        }
        return aggregate(level);
    }

    /** Returns the value of a level that is complete; null: it was the attributes of the next value. */
    private RespValue aggregate(Level level) throws RespException {
        List<RespValue> elements = List.copyOf(level.elements);
        switch (level.type) {
            case '~':
                return new RespValue.SetValue(elements);
            case '>':
                return new RespValue.PushMessage(elements);
            case '%':
                return new RespValue.MapValue(elements);
            case '|':
                noteAttributes(new RespValue.MapValue(elements));
                return null;
            default:
                return new RespValue.ArrayValue(elements);
        }
    }

    private void noteAttributes(RespValue.MapValue found) {
        if (levels.isEmpty()) {
            attributes = found;
        } else {
            levels.peek().attributes = found;
        }
    }

    /** Adds a value to the aggregate that it belongs to. Returns the outermost value if that is complete now, else null. */
    private RespValue completed(RespValue value) throws RespException {
        RespValue complete = value;
        while (complete != null && !levels.isEmpty()) {
            Level level = levels.peek();
            level.elements.add(attributed(level.attributes, complete));
            level.attributes = null;
            if (level.elements.size() < level.wanted) {
                return null;
            }
            levels.pop();
            complete = aggregate(level);
        }
        if (complete != null) {
            complete = attributed(attributes, complete);
            attributes = null;
        }
        return complete;
    }

    private static RespValue attributed(RespValue.MapValue own, RespValue value) {
        return own == null ? value : new RespValue.Attributed(own, value);
    }
}
