package org.cabrank.resp;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A value that a client has received. Only Cabrank implements this interface; releases may add kinds of values, so a {@code switch} over
 * them needs a default.
 */
public sealed interface RespValue {
    /** A line of text. */
    record SimpleString(String text) implements RespValue {}

    /**
     * An error.
     *
     * @param text begins with a code: {@code ERR syntax error}
     * @param isBulk it came as a bulk error (version 3)
     */
    record ErrorReply(String text, boolean isBulk) implements RespValue {}

    /** An integer. */
    record IntegerValue(long value) implements RespValue {}

    /** An integer of any size (version 3). */
    record BigNumber(BigInteger value) implements RespValue {}

    /** A floating-point number (version 3). */
    record Decimal(double value) implements RespValue {}

    /** A boolean (version 3). */
    record Bool(boolean value) implements RespValue {}

    /** Null of either version: no value, no string or no array. */
    record Nil() implements RespValue {}

    /** A string of bytes. The array belongs to the receiver of the value; records of equal bytes are not equal. */
    record BulkString(byte[] content) implements RespValue {
        /** The content as text in UTF-8. */
        public String text() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    /**
     * A text with its format (version 3).
     *
     * @param format three characters: {@code txt} or {@code mkd}
     */
    record VerbatimString(String format, String text) implements RespValue {}

    /** An array. */
    record ArrayValue(List<RespValue> elements) implements RespValue {}

    /** A set (version 3), in the order in which the elements were sent. */
    record SetValue(List<RespValue> elements) implements RespValue {}

    /** A map (version 3): keys and values in turn, in the order in which they were sent. */
    record MapValue(List<RespValue> keysAndValues) implements RespValue {}

    /** A message that is no reply (version 3). */
    record PushMessage(List<RespValue> elements) implements RespValue {}

    /** A value with attributes (version 3). */
    record Attributed(MapValue attributes, RespValue value) implements RespValue {}
}
