package org.cabrank.bench.run;

/** A child process did not do what was requested. The message has the failure, {@link #log} the child's own output. */
public final class ChildFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String log;

    ChildFailedException(String message, String log) {
        super(message);
        this.log = log;
    }

    public String log() {
        return log;
    }
}
