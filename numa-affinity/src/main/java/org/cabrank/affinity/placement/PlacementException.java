package org.cabrank.affinity.placement;

/** A placement cannot be had as it was asked for, and nothing else would do; the message says why and what would help. */
public final class PlacementException extends Exception {
    private static final long serialVersionUID = 1L;

    PlacementException(String message) {
        super(message);
    }
}
