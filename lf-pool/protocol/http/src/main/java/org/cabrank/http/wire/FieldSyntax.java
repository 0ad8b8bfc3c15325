package org.cabrank.http.wire;

import java.util.Locale;
import java.util.Set;

/** Checks fields that a service adds to a message, so that no value can contain a further line. */
public final class FieldSyntax {
    private static final Set<String> OF_FRAMING =
            Set.of("content-length", "transfer-encoding", "connection", "date", "upgrade", "trailer");

    private FieldSyntax() {}

    /** @throws IllegalArgumentException if {@link #require} throws it, or if the library writes the field */
    public static void requireOfService(String name, String value) {
        require(name, value);
        if (OF_FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("the field " + name + " cannot be added: the server and the client"
                    + " write it themselves where it is needed");
        }
    }

    /** @throws IllegalArgumentException if the name is not a token, or if the value has a character that is not allowed in values */
    public static void require(String name, String value) {
        boolean token = !name.isEmpty();
        for (int i = 0; i < name.length(); i++) {
            token &= name.charAt(i) < 0x7f && HttpChars.token(name.charAt(i));
        }
        if (!token) {
            throw new IllegalArgumentException("the name of a field is a token (RFC 9110 section 5.6.2), but this has "
                    + name.length() + " characters, one of which is none of a token");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > 0xff || !HttpChars.value(c)) {
                throw new IllegalArgumentException("the value of the field " + name + " has the character "
                        + Integer.toHexString(c) + " (hexadecimal) at " + i + ", which no value may have");
            }
        }
    }
}
