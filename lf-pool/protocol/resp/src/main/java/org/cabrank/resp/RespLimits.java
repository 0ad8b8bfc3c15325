package org.cabrank.resp;

/**
 * Limits for the bytes of a peer. Immutable; each {@code with...} method returns a changed copy. A peer that exceeds a limit gets an
 * error message, and the connection is closed.
 *
 * @param stringBytesMax bytes of one argument, or of one string of a reply; from 1
 * @param elementsMax arguments of a command, or elements of an array of a reply; from 1
 * @param lineBytesMax bytes of an inline command, or of a line that holds a number or a simple string; from 32
 * @param totalBytesMax bytes of a command or reply with all lengths and line ends; from 64 to 1 GiB. A command of which more than
 *     16 KiB has not arrived at once is collected on the heap, so this bounds the memory of a connection
 * @param nestingMax levels of arrays within arrays of a reply; from 1 to 1,024. Commands have one level
 */
public record RespLimits(int stringBytesMax, int elementsMax, int lineBytesMax, int totalBytesMax, int nestingMax) {
    private static final int LINE_MIN = 32;
    private static final int TOTAL_MIN = 64;
    private static final int TOTAL_LIMIT = 1 << 30;
    private static final int NESTING_LIMIT = 1_024;

    /** Strings of 1 MiB, 65,536 elements, lines of 64 KiB, 4 MiB in all, 32 levels. */
    public static final RespLimits DEFAULT = new RespLimits(1 << 20, 65_536, 64 << 10, 4 << 20, 32);

    public RespLimits {
        require(stringBytesMax >= 1, "stringBytesMax", stringBytesMax, "at least 1");
        require(elementsMax >= 1, "elementsMax", elementsMax, "at least 1");
        require(lineBytesMax >= LINE_MIN, "lineBytesMax", lineBytesMax, "at least 32");
        require(
                totalBytesMax >= TOTAL_MIN && totalBytesMax <= TOTAL_LIMIT,
                "totalBytesMax",
                totalBytesMax,
                "from 64 to 1,073,741,824");
        require(nestingMax >= 1 && nestingMax <= NESTING_LIMIT, "nestingMax", nestingMax, "from 1 to 1,024");
    }

    private static void require(boolean holds, String name, int value, String range) {
        if (!holds) {
            throw new IllegalArgumentException(name + " must be " + range + ", but is " + value);
        }
    }

    /** Returns a copy with this limit of an argument's or string's bytes. */
    public RespLimits withStringBytesMax(int bytes) {
        return new RespLimits(bytes, elementsMax, lineBytesMax, totalBytesMax, nestingMax);
    }

    /** Returns a copy with this limit of arguments or elements. */
    public RespLimits withElementsMax(int elements) {
        return new RespLimits(stringBytesMax, elements, lineBytesMax, totalBytesMax, nestingMax);
    }

    /** Returns a copy with this limit of a line's bytes. */
    public RespLimits withLineBytesMax(int bytes) {
        return new RespLimits(stringBytesMax, elementsMax, bytes, totalBytesMax, nestingMax);
    }

    /** Returns a copy with this limit of a command's or reply's bytes. */
    public RespLimits withTotalBytesMax(int bytes) {
        return new RespLimits(stringBytesMax, elementsMax, lineBytesMax, bytes, nestingMax);
    }

    /** Returns a copy with this limit of levels. */
    public RespLimits withNestingMax(int levels) {
        return new RespLimits(stringBytesMax, elementsMax, lineBytesMax, totalBytesMax, levels);
    }
}
