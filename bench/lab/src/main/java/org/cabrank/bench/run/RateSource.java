package org.cabrank.bench.run;

import java.io.IOException;
import org.cabrank.bench.load.LoadTraffic;

/**
 * A load generator that is checked against another one by the requests per second that it reports.
 *
 * @param name name of the program
 * @param warmupNs load time in ns before each interval
 */
record RateSource(String name, Loader loader, long warmupNs) {

    /**
     * Loads {@code server} for {@code durationNs} and returns the requests per second.
     *
     * @throws ChildFailedException if the server failed
     * @throws IOException if the generator failed, or if a request did
     */
    double perSecond(ServerProcess server, LoadTraffic traffic, long durationNs)
            throws ChildFailedException, IOException, InterruptedException {
        loader.prepare(server);
        Loader.Outcome outcome = loader.run(server, traffic, warmupNs, durationNs, Loader.Watch.NOBODY);
        if (outcome.failure() != null) {
            throw new IOException(name + ": " + outcome.failure());
        }
        return outcome.measured().requestsPerSecond();
    }
}
