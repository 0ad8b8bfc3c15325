package org.cabrank.bench.cli;

import java.nio.file.Path;
import org.cabrank.affinity.reservation.CpuReservationException;
import org.cabrank.affinity.reservation.CpuReservations;

/**
 * Where services of a host reserve CPUs from each other.
 *
 * @param directory empty: the host's
 */
record ReservationDirectory(String directory) {

    CpuReservations open() throws CpuReservationException {
        return directory.isEmpty() ? CpuReservations.ofThisHost() : CpuReservations.in(Path.of(directory));
    }
}
