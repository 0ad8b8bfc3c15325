package org.cabrank.bench.run;

import java.io.IOException;
import org.cabrank.bench.load.LoadTraffic;

/** A load generator that is checked against another one by the requests per second that it reports. */
interface RateSource {

    /** Name of the program. */
    String name();

    /**
     * Loads {@code server} for {@code durationNs} and returns the requests per second.
     *
     * @throws ChildFailedException if the server failed
     * @throws IOException if the generator failed
     */
    double perSecond(ServerProcess server, LoadTraffic traffic, long durationNs)
            throws ChildFailedException, IOException, InterruptedException;

    /** Makes a source of a loader; an interval that went wrong is an {@link IOException}. */
    static RateSource of(String name, Loader loader, long warmupNs) {
        return new RateSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public double perSecond(ServerProcess server, LoadTraffic traffic, long durationNs)
                    throws ChildFailedException, IOException, InterruptedException {
                loader.prepare(server);
                Loader.Outcome outcome = loader.run(server, traffic, warmupNs, durationNs, Loader.Watch.NOBODY);
                if (outcome.failure() != null) {
                    throw new IOException(name + ": " + outcome.failure());
                }
                return outcome.measured().requestsPerSecond();
            }
        };
    }
}
