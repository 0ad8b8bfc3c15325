package org.cabrank.bench.resp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.cabrank.resp.RespCommand;

/**
 * A key of bytes. A key that a map has never changes; each connection has one more, which is filled again and again to look for keys
 * without an allocation. Comparable, so that keys with equal hashes do not make a map slow.
 */
public final class ByteKey implements Comparable<ByteKey> {
    private static final int BYTES_FIRST = 32;

    /** Room for a longer key is not kept. */
    private static final int BYTES_KEPT_MAX = 1_024;

    private static final int FACTOR = 31;

    private byte[] bytes;
    private int length;
    private int hash;

    /** Makes a key to be filled. */
    public ByteKey() {
        bytes = new byte[BYTES_FIRST];
    }

    private ByteKey(byte[] bytes, int hash) {
        this.bytes = bytes;
        this.length = bytes.length;
        this.hash = hash;
    }

    /** Returns a key of text. */
    static ByteKey of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new ByteKey(bytes, hash(bytes, bytes.length));
    }

    /** Fills this key with an argument. Returns this key. */
    ByteKey fill(RespCommand command, int index) {
        length = command.length(index);
        if (length > bytes.length || bytes.length > BYTES_KEPT_MAX) {
            bytes = new byte[Math.max(BYTES_FIRST, length)];
        }
        command.copy(index, bytes, 0);
        hash = hash(bytes, length);
        return this;
    }

    /** Fills this key with bytes. Returns this key. */
    public ByteKey fill(byte[] content) {
        bytes = content;
        length = content.length;
        hash = hash(bytes, length);
        return this;
    }

    /** Returns a key of the same bytes that never changes. */
    ByteKey copy() {
        return new ByteKey(Arrays.copyOf(bytes, length), hash);
    }

    int length() {
        return length;
    }

    private static int hash(byte[] bytes, int length) {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = FACTOR * hash + bytes[i];
        }
        return hash;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteKey key
                && key.hash == hash
                && Arrays.equals(bytes, 0, length, key.bytes, 0, key.length);
    }

    @Override
    public int compareTo(ByteKey other) {
        return Arrays.compareUnsigned(bytes, 0, length, other.bytes, 0, other.length);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
