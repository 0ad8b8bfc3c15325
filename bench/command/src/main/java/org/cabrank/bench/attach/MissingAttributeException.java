package org.cabrank.bench.attach;

/** Thrown if a bean of the server lacks an attribute that this command needs. */
public final class MissingAttributeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MissingAttributeException(String bean, String attribute) {
        super("the bean " + bean + " has no attribute " + attribute
                + ": the server runs another version of Cabrank; use the command of that version");
    }
}
