package org.cabrank.bench.run;

/** A child process did not do what the bench requested. {@link #log} has the child's standard error. */
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
