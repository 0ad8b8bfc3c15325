package org.cabrank.http.message;

import java.util.List;
import java.util.Map;

/** The fields of a message, in the order of their lines. Names are compared without case. Valid as long as the message. */
public interface HttpFields {
    int count();

    HttpText name(int index);

    /** Value of a field line, without the space around it. */
    HttpText value(int index);

    /** Returns the value of the first field line with this name, or null. */
    HttpText first(String name);

    boolean contains(String name);

    /** Returns true if the field {@code name} is a list with this element, such as {@code close} in {@code Connection: close}. */
    boolean hasElement(String name, String element);

    /** Returns copies of the values of all field lines with this name, in order; an empty list if there is no such line. */
    List<String> all(String name);

    /** Returns a copy. Its keys are sorted and compared without case; the values of a key are in the order of their lines. */
    Map<String, List<String>> toMap();
}
