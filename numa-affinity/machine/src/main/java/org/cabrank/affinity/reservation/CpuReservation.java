package org.cabrank.affinity.reservation;

import org.cabrank.affinity.CpuList;

/** CPUs reserved by this process until {@link #close} or the end of the process. Thread-safe. See {@link CpuReservations#reserve}. */
public final class CpuReservation implements AutoCloseable {
    private final CpuReservations reservations;
    private final CpuList cpus;

    CpuReservation(CpuReservations reservations, CpuList cpus) {
        this.reservations = reservations;
        this.cpus = cpus;
    }

    /** All of the requested CPUs. */
    public CpuList cpus() {
        return cpus;
    }

    /** Releases the CPUs. Idempotent. */
    @Override
    public void close() {
        reservations.giveBack(this);
    }
}
