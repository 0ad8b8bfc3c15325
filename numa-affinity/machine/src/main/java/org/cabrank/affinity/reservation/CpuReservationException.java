package org.cabrank.affinity.reservation;

import java.io.IOException;

/** Some CPUs cannot be reserved. The message has the cause, the holder if there is one, and the remedy. */
public final class CpuReservationException extends IOException {
    private static final long serialVersionUID = 1L;

    CpuReservationException(String message) {
        super(message);
    }

    CpuReservationException(String message, Throwable cause) {
        super(message, cause);
    }
}
