package org.cabrank.http.message;

/**
 * A part of a message: a view of received bytes, each of which is one character (ISO 8859-1). Valid as long as the message; {@link
 * #toString} makes a copy. Comparisons allocate nothing.
 */
public interface HttpText extends CharSequence {
    /** Returns true if the text has exactly these characters. */
    boolean is(String text);

    /** Returns true if this text equals {@code text}, ignoring the case of ASCII letters. */
    boolean isIgnoringCase(String text);

    boolean startsWith(String prefix);

    /** Returns the index of the first {@code c} from {@code from} on, or -1. */
    int indexOf(char c, int from);

    /** Returns the text as a number; -1 if it is not made of 1 to 18 decimal digits. */
    long toLong();

    /** A copy. */
    @Override
    String subSequence(int start, int end);

    /** A copy. */
    @Override
    String toString();
}
