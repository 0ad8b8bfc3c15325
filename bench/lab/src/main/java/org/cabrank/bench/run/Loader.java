package org.cabrank.bench.run;

import java.io.IOException;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.RunRecord.Measured;

/** Sends load to a server and measures the server at the same time. */
interface Loader {

    /**
     * Result of one measured interval.
     *
     * @param failure the reason why the numbers are invalid; null if they are valid
     */
    record Outcome(Measured measured, String failure) {}

    /**
     * Observes a server at certain moments of an interval. Most moments are outside the measured time, so that the observer
     * need not hurry.
     */
    interface Watch {

        Watch NOBODY = new Watch() {};

        /** Measuring is about to begin: what takes time here is measured with. */
        default void intervalBegins() throws ChildFailedException, IOException, InterruptedException {}

        /** Measuring has just ended. */
        default void intervalEnds() throws ChildFailedException, IOException, InterruptedException {}

        /** The interval is over, all connections still stand: the user-space bytes of each idle one; null where nobody asked. */
        default Double whileConnected() throws ChildFailedException, InterruptedException {
            return null;
        }
    }

    /** Gets itself ready for what follows, at the cost of {@code server}, which nobody measures now. */
    default void prepare(ServerProcess server) throws ChildFailedException, IOException, InterruptedException {}

    /**
     * Opens connections to {@code server} and closes them, as many as those of several intervals, where the windows of a
     * warm-up have too few.
     */
    default void comeAndGo(ServerProcess server) throws ChildFailedException {}

    /**
     * Connects to {@code server}, loads it for {@code warmupNs} and then {@code durationNs}, which is measured, and
     * disconnects.
     *
     * @throws ChildFailedException when the server or the load generator did not do what was asked of it
     */
    Outcome run(ServerProcess server, LoadTraffic traffic, long warmupNs, long durationNs, Watch watch)
            throws ChildFailedException, IOException, InterruptedException;
}
