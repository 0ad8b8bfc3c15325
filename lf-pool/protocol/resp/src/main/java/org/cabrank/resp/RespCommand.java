package org.cabrank.resp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A command and its arguments, of which the first is its name. Valid during the call that it is given to, and only for the thread of
 * that call: the memory of the arguments serves other connections afterwards. {@link #keep} makes a copy that stays valid.
 */
public final class RespCommand {
    /** Bytes of the longest argument that {@link #word(int)} answers. */
    public static final int WORD_BYTES_MAX = Long.BYTES;

    private static final int ARGUMENTS_FIRST = 8;

    /** A command with more arguments has bounds of its own, which are not kept for the next command. */
    private static final int ARGUMENTS_KEPT_MAX = 256;

    /** Digits of the longest long. */
    private static final int DIGITS_MAX = 19;

    /** Offset and length of each argument, in turn. */
    private int[] bounds = new int[2 * ARGUMENTS_FIRST];

    private int count;

    /** The bytes that offsets begin at {@link #base} of. */
    private ByteBuffer bytes;

    private int base;

    /** Views that the present call has. */
    private ByteBuffer[] shown = new ByteBuffer[ARGUMENTS_FIRST];

    RespCommand() {}

    // ---- by the parser ----

    void clear() {
        count = 0;
        if (bounds.length > 2 * ARGUMENTS_KEPT_MAX) {
            bounds = new int[2 * ARGUMENTS_FIRST];
            shown = new ByteBuffer[ARGUMENTS_FIRST];
        }
    }

    void add(int offset, int length) {
        int at = 2 * count;
        if (at == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * at);
        }
        bounds[at] = offset;
        bounds[at + 1] = length;
        count++;
    }

    /** The arguments that were added stand in {@code received}, whose index {@code from} is that of offset 0. */
    void show(ByteBuffer received, int from) {
        bytes = received;
        base = from;
    }

    /** The memory of the arguments is about to serve other callbacks: views become empty. */
    void expire() {
        for (ByteBuffer view : shown) {
            if (view != null) {
                view.limit(0);
            }
        }
        count = 0;
        bytes = null;
    }

    // ---- by the handler ----

    /** Number of arguments, including the name; at least 1. */
    public int count() {
        return count;
    }

    /** Number of bytes of an argument. */
    public int length(int index) {
        return bounds[2 * Objects.checkIndex(index, count) + 1];
    }

    private int start(int index) {
        return base + bounds[2 * Objects.checkIndex(index, count)];
    }

    /**
     * Returns a view of an argument, from its position to its limit, in network byte order. The memory around the argument belongs to
     * other arguments. The next call for the same argument may return the same object.
     */
    public ByteBuffer argument(int index) {
        int from = start(index);
        ByteBuffer view = ArgumentViews.of(bytes, index, from, from + length(index));
        if (index >= shown.length) {
            shown = Arrays.copyOf(shown, Math.max(index + 1, 2 * shown.length));
        }
        if (shown[index] != view) { // a reference that is not stored costs a garbage collector nothing
            shown[index] = view;
        }
        return view;
    }

    /** Returns a copy of an argument, which the caller may keep. Allocates. */
    public byte[] copy(int index) {
        byte[] copy = new byte[length(index)];
        copy(index, copy, 0);
        return copy;
    }

    /** Copies an argument into {@code target} from {@code at} on. */
    public void copy(int index, byte[] target, int at) {
        bytes.get(start(index), target, at, length(index));
    }

    /** Returns a copy of this command that stays valid, for work that goes on after the call. Allocates. */
    public RespCommand keep() {
        RespCommand kept = new RespCommand();
        int total = 0;
        for (int i = 0; i < count; i++) {
            kept.add(total, length(i));
            total += length(i);
        }
        byte[] content = new byte[total];
        for (int i = 0; i < count; i++) {
            copy(i, content, kept.bounds[2 * i]);
        }
        kept.show(ByteBuffer.wrap(content), 0);
        return kept;
    }

    /** Returns an argument as text in UTF-8. Allocates. */
    public String text(int index) {
        return new String(copy(index), StandardCharsets.UTF_8);
    }

    /** Returns a byte of an argument. */
    public byte byteAt(int index, int at) {
        return bytes.get(start(index) + Objects.checkIndex(at, length(index)));
    }

    /**
     * Returns true if an argument is a word, in upper or lower case.
     *
     * @param word in upper case, ASCII
     */
    public boolean is(int index, String word) {
        int length = length(index);
        if (length != word.length()) {
            return false;
        }
        int from = start(index);
        for (int i = 0; i < length; i++) {
            if (upper(bytes.get(from + i)) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns an argument of at most {@value #WORD_BYTES_MAX} bytes in upper case, packed into a long as {@link #word(String)} does: for
     * a table of commands. 0 if the argument is empty or longer.
     */
    public long word(int index) {
        int length = length(index);
        if (length > WORD_BYTES_MAX) {
            return 0;
        }
        int from = start(index);
        long word = 0;
        for (int i = 0; i < length; i++) {
            word = word << Byte.SIZE | upper(bytes.get(from + i));
        }
        return word;
    }

    /**
     * Returns a word of 1 to {@value #WORD_BYTES_MAX} ASCII characters in upper case, packed into a long: the last character in the
     * lowest byte.
     */
    public static long word(String name) {
        if (name.isEmpty() || name.length() > WORD_BYTES_MAX) {
            throw new IllegalArgumentException("a word has 1 to " + WORD_BYTES_MAX + " characters, not '" + name + "'");
        }
        long word = 0;
        for (int i = 0; i < name.length(); i++) {
            word = word << Byte.SIZE | upper((byte) name.charAt(i));
        }
        return word;
    }

    private static int upper(byte character) {
        return character >= 'a' && character <= 'z' ? character - ('a' - 'A') : character & 0xff;
    }

    /** Returns true if an argument is a decimal number from -2^63 to 2^63 - 1, without spaces, a plus sign or leading zeros. */
    public boolean isInteger(int index) {
        int length = length(index);
        int from = start(index);
        boolean negative = length > 0 && bytes.get(from) == '-';
        int digits = negative ? length - 1 : length;
        if (digits < 1 || digits > DIGITS_MAX) {
            return false;
        }
        int first = from + length - digits;
        if (bytes.get(first) == '0' && (digits > 1 || negative)) {
            return false;
        }
        long value = 0; // negative, because the least long has no positive counterpart
        for (int i = first; i < from + length; i++) {
            int digit = bytes.get(i) - '0';
            if (digit < 0 || digit > 9 || value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
                return false;
            }
            value = value * 10 - digit;
        }
        return negative || value != Long.MIN_VALUE;
    }

    /**
     * Returns the value of an argument that {@link #isInteger}.
     *
     * @throws NumberFormatException for an argument that is none
     */
    public long integer(int index) {
        if (!isInteger(index)) {
            throw new NumberFormatException("value is not an integer or out of range");
        }
        int from = start(index);
        int to = from + length(index);
        boolean negative = bytes.get(from) == '-';
        long value = 0;
        for (int i = negative ? from + 1 : from; i < to; i++) {
            value = value * 10 - (bytes.get(i) - '0');
        }
        return negative ? value : -value;
    }

    /** Shows the number of arguments and no content, which may be secret. */
    @Override
    public String toString() {
        return "command of " + count + " arguments";
    }
}
