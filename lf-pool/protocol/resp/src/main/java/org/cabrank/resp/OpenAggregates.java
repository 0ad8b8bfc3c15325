package org.cabrank.resp;

import java.util.Arrays;

/** Arrays, maps and the like whose elements are being written, the innermost last. */
final class OpenAggregates {
    /** Named bound: levels of a reply. */
    private static final int LEVELS_MAX = 128;

    private static final int LEVELS_FIRST = 4;

    /** Elements of each level that are not written yet. */
    private long[] missing = new long[LEVELS_FIRST];

    /** Levels that are attributes, which are no element of the level around them. */
    private boolean[] attribute = new boolean[LEVELS_FIRST];

    private int levels;

    /** Level of attributes that the peer's version lacks, from 1; 0: nothing is discarded. */
    private int discarded;

    boolean isEmpty() {
        return levels == 0;
    }

    /** Returns true if what is written next is discarded. */
    boolean isDiscarding() {
        return discarded != 0;
    }

    /** @param elements at least 1 */
    void open(long elements, boolean isAttribute) {
        if (levels == missing.length) {
            if (levels == LEVELS_MAX) {
                throw new IllegalStateException("a reply has at most " + LEVELS_MAX + " levels");
            }
            missing = Arrays.copyOf(missing, 2 * levels);
            attribute = Arrays.copyOf(attribute, 2 * levels);
        }
        missing[levels] = elements;
        attribute[levels] = isAttribute;
        levels++;
    }

    /** The innermost level is discarded with all that is in it. */
    void discard() {
        if (discarded == 0) {
            discarded = levels;
        }
    }

    /** An element was written. Returns true if a whole reply was. */
    boolean elementWritten() {
        while (levels > 0) {
            if (--missing[levels - 1] > 0) {
                return false;
            }
            levels--;
            if (levels < discarded) {
                discarded = 0;
            }
            if (attribute[levels]) {
                return false; // the value that the attributes belong to follows
            }
        }
        return true;
    }
}
