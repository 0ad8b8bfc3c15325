package org.cabrank.affinity.reservation;

import java.io.IOException;
import org.cabrank.affinity.CpuList;

/** CPUs that cannot be reserved; the message says why, who has them if somebody does, and what would help. */
public final class CpuReservationException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient CpuList taken;

    CpuReservationException(String message, Throwable cause) {
        super(message, cause);
        this.taken = CpuList.of();
    }

    CpuReservationException(String message, CpuList taken) {
        super(message);
        this.taken = taken;
    }

    /** The CPUs that somebody else has; empty when it failed for another reason. */
    public CpuList taken() {
        return taken == null ? CpuList.of() : taken;
    }
}
