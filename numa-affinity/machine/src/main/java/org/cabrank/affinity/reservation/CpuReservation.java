package org.cabrank.affinity.reservation;

import org.cabrank.affinity.CpuList;

/**
 * CPUs that this process has reserved, until it closes this or ends, in whatever way. Any thread.
 *
 * @see CpuReservations#reserve
 */
public final class CpuReservation implements AutoCloseable {
    private final CpuReservations reservations;
    private final CpuList cpus;

    CpuReservation(CpuReservations reservations, CpuList cpus) {
        this.reservations = reservations;
        this.cpus = cpus;
    }

    /** The CPUs that were asked for, all of them. */
    public CpuList cpus() {
        return cpus;
    }

    /** Gives them back. Once is enough, twice does no harm. */
    @Override
    public void close() {
        reservations.giveBack(this);
    }
}
