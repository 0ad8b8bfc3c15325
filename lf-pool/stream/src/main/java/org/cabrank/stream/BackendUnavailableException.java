package org.cabrank.stream;

import java.io.IOException;

/** The backend asked for cannot serve here; the message says why and what would help. */
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

    /** Made by a backend that serves only shards with one thread here. A reactor with no given number of threads then has such shards. */
    public static BackendUnavailableException ofSeveralThreads(String message) {
        return new BackendUnavailableException(message, true);
    }

    boolean isOfSeveralThreads() {
        return ofSeveralThreads;
    }
}
