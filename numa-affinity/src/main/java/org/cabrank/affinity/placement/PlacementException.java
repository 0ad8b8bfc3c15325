package org.cabrank.affinity.placement;

import java.io.IOException;

/**
 * A placement is not possible on this machine as it was asked for, and nothing else would do; the message says why and what would
 * help. An {@link IOException} like the refusals of the kernel when threads are pinned.
 */
public final class PlacementException extends IOException {
    private static final long serialVersionUID = 1L;

    PlacementException(String message) {
        super(message);
    }
}
