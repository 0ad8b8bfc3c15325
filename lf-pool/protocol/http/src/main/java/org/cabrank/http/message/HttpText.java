package org.cabrank.http.message;

/** A view of received bytes, each of which is one character (ISO 8859-1). Valid as long as the message. Comparisons allocate nothing. */
public interface HttpText extends CharSequence {
    boolean is(String text);

    /** Returns true if this text equals {@code text}, ignoring the case of ASCII letters. */
    boolean isIgnoringCase(String text);

    boolean startsWith(String prefix);

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
