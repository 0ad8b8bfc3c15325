package org.cabrank.http.message;

import java.util.List;
import java.util.Map;

/**
 * The fields of a message, in the order of their lines. Names are compared without case (RFC 9110 section 5.1). Valid as long as the
 * message. A look-up allocates nothing if an earlier message of the connection had as many fields.
 */
public interface HttpFields {
    int count();

    /** @param index of a field line, from 0 to {@link #count} - 1 */
    HttpText name(int index);

    /** Value of a field line, without the space around it. */
    HttpText value(int index);

    /** Returns the value of the first field line with this name, or null. */
    HttpText first(String name);

    boolean contains(String name);

    /**
     * Returns true if a field is a list that has this element, such as {@code close} in {@code Connection: close}. Lines with the same name
     * make one list (RFC 9110 section 5.3).
     */
    boolean hasElement(String name, String element);

    /** Returns copies of the values of all field lines with this name, in order; an empty list without such a line. */
    List<String> all(String name);

    /** Returns a copy. Its keys are sorted and compared without case; the values of a key are in the order of their lines. */
    Map<String, List<String>> toMap();
}
