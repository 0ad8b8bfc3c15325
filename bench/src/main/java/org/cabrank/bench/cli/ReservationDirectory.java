package org.cabrank.bench.cli;

import java.nio.file.Path;
import org.cabrank.affinity.reservation.CpuReservationException;
import org.cabrank.affinity.reservation.CpuReservations;

/**
 * Directory in which services of a host reserve CPUs.
 *
 * @param directory empty: the host's default
 */
record ReservationDirectory(String directory) {

    CpuReservations open() throws CpuReservationException {
        return directory.isEmpty() ? CpuReservations.ofThisHost() : CpuReservations.in(Path.of(directory));
    }
}
