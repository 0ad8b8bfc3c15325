package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.http.message.HttpText;

/** A view of some bytes of a message. The same view can show one message after the other. Not thread-safe. */
public final class TextView implements HttpText {
    private static final int DIGITS_MAX = 18;

    private ByteBuffer bytes;
    private int from;
    private int length;

    public TextView() {}

    public TextView show(ByteBuffer source, int start, int count) {
        bytes = source;
        from = start;
        length = count;
        return this;
    }

    /** If the text is in {@code source}, shows it in {@code copy}, which begins with the byte that is at {@code first} in the source. */
    void follow(ByteBuffer source, int first, ByteBuffer copy) {
        if (bytes == source) {
            bytes = copy;
            from -= first;
        }
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public char charAt(int index) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException("character " + index + " of a text of " + length);
        }
        return (char) (bytes.get(from + index) & 0xff);
    }

    @Override
    public boolean is(String text) {
        return text.length() == length && startsWith(text);
    }

    @Override
    public boolean startsWith(String prefix) {
        return startsWith(prefix, 0);
    }

    boolean startsWith(String prefix, int at) {
        int count = prefix.length();
        return count <= length - at && HttpChars.is(bytes, from + at, count, prefix);
    }

    @Override
    public boolean isIgnoringCase(String text) {
        return HttpChars.isIgnoringCase(bytes, from, length, text);
    }

    @Override
    public int indexOf(char c, int start) {
        for (int i = Math.max(0, start); i < length; i++) {
            if ((bytes.get(from + i) & 0xff) == c) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public long toLong() {
        if (length == 0 || length > DIGITS_MAX) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = bytes.get(from + i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    @Override
    public String subSequence(int start, int end) {
        if (start < 0 || end > length || start > end) {
            throw new IndexOutOfBoundsException("characters " + start + " to " + end + " of a text of " + length);
        }
        byte[] copy = new byte[end - start];
        bytes.get(from + start, copy);
        return new String(copy, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return subSequence(0, length);
    }
}
