package org.cabrank.affinity.reservation;

import java.io.IOException;

/** CPUs that cannot be reserved; the message gives the cause, the holder if any, and the remedy. */
public final class CpuReservationException extends IOException {
    private static final long serialVersionUID = 1L;

    CpuReservationException(String message) {
        super(message);
    }

    CpuReservationException(String message, Throwable cause) {
        super(message, cause);
    }
}
