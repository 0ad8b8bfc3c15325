package org.cabrank.bench.place;

import java.util.Optional;

/** A strict placement that cannot be had; the message says why and what would help. */
public final class PlacementRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlacementRefusedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The one that has kept a server from starting, which may have come from a pool's thread in others' wrapping. */
    public static Optional<PlacementRefusedException> within(Throwable notStarted) {
        for (Throwable cause = notStarted; cause != null; cause = cause.getCause()) {
            if (cause instanceof PlacementRefusedException refused) {
                return Optional.of(refused);
            }
        }
        return Optional.empty();
    }
}
