package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.handler.BusyWork;
import picocli.CommandLine.Option;

/** Simulated computing of each request. */
final class WorkOption {

    @Option(
            names = "--work",
            paramLabel = "TIME",
            description =
                    "Computing that each request takes before its answer (default 0us, unless the command states another).")
    private Duration work;

    /**
     * Time in ns; {@code standard} if the flag was not given.
     *
     * @throws IllegalArgumentException if it is out of range; the message states the range
     */
    long ns(Duration standard) {
        long ns = (work == null ? standard : work).toNanos();
        BusyWork.checkTime(ns);
        return ns;
    }
}
