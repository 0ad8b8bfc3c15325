package org.cabrank.pinning;

import java.util.Optional;

/** Thrown when a strict placement is unavailable. The message names the cause and the remedy. */
public final class PlacementRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlacementRefusedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Searches the causes of an exception with which a reactor failed to start. Returns the refusal, if there is one. */
    public static Optional<PlacementRefusedException> within(Throwable notStarted) {
        for (Throwable cause = notStarted; cause != null; cause = cause.getCause()) {
            if (cause instanceof PlacementRefusedException refused) {
                return Optional.of(refused);
            }
        }
        return Optional.empty();
    }
}
