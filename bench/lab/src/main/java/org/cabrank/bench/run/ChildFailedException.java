package org.cabrank.bench.run;

/** A child process did not do what was asked of it: the message says what, {@link #log} what it said itself. */
public final class ChildFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String log;

    ChildFailedException(String message, String log) {
        super(message);
        this.log = log;
    }

    /** The last lines of its standard error; may be empty. */
    public String log() {
        return log;
    }
}
