package org.cabrank.stream;

import java.io.IOException;

/** Thrown if the requested backend cannot serve here. The message names the reason and a remedy. */
public final class BackendUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean ofSeveralThreads;

    public BackendUnavailableException(String message) {
        this(message, false);
    }

    private BackendUnavailableException(String message, boolean ofSeveralThreads) {
        super(message);
        this.ofSeveralThreads = ofSeveralThreads;
    }

    /**
     * Returns an exception for a backend that, on this machine, serves only shards with one thread. The reactor then gives each shard one
     * thread, unless the service has set the number of threads.
     */
    public static BackendUnavailableException ofSeveralThreads(String message) {
        return new BackendUnavailableException(message, true);
    }

    boolean isOfSeveralThreads() {
        return ofSeveralThreads;
    }
}
