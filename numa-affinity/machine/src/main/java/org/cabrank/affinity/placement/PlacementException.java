package org.cabrank.affinity.placement;

import java.io.IOException;

/**
 * Refusal of a placement that is impossible on this machine and may not be replaced by another; the message names the cause and
 * the remedy. An {@link IOException} like the refusals of the kernel when threads are pinned.
 */
public final class PlacementException extends IOException {
    private static final long serialVersionUID = 1L;

    PlacementException(String message) {
        super(message);
    }
}
