package org.cabrank.affinity.placement;

import java.io.IOException;

/** A strict placement is impossible on this machine. The message names the cause and the remedy. */
public final class PlacementException extends IOException {
    private static final long serialVersionUID = 1L;

    PlacementException(String message) {
        super(message);
    }
}
