package org.cabrank.stream.transport;

import java.util.Arrays;
import java.util.Objects;
import org.cabrank.stream.AttachmentKey;

/**
 * The attached objects of a connection: keys and values by turns, in an array that has room for those that were attached at a time. A
 * search compares references, which beats a hash table for the few keys of a connection.
 */
final class Attachments {
    private static final Object[] NONE = {};

    private Object[] pairs = NONE;

    @SuppressWarnings("unchecked") // put accepts only a T for an AttachmentKey<T>
    <T> T get(AttachmentKey<T> key) {
        int at = indexOf(key);
        return at < 0 ? null : (T) pairs[at + 1];
    }

    /** @param value null: the key has none from now on */
    <T> void put(AttachmentKey<T> key, T value) {
        Objects.requireNonNull(key, "key");
        int at = indexOf(key);
        if (at < 0 && value != null) {
            at = indexOf(null);
            if (at < 0) {
                at = pairs.length;
                pairs = Arrays.copyOf(pairs, at + 2);
            }
        }
        if (at >= 0) {
            pairs[at] = value == null ? null : key;
            pairs[at + 1] = value;
        }
    }

    private int indexOf(Object key) {
        for (int at = 0; at < pairs.length; at += 2) {
            if (pairs[at] == key) {
                return at;
            }
        }
        return -1;
    }
}
