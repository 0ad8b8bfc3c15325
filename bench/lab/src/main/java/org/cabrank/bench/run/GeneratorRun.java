package org.cabrank.bench.run;

import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.GeneratorReport;

/** One load of the generator's process, that has had its first answers. */
interface GeneratorRun {

    /** @param settleNs time in ns for which requests may have waited for the CPU of the load; latencies count afterwards */
    void beginMeasuring(long settleNs) throws InterruptedException;

    void endMeasuring();

    /**
     * Ends the load and reports the measured interval.
     *
     * @param server use of the server's process in the interval
     * @param load use of this process in the interval
     * @param serverUse as {@link GeneratorLimit} takes it
     */
    GeneratorReport finish(ProcessUsage server, ProcessUsage load, GeneratorLimit.Server serverUse)
            throws InterruptedException;

    /** Ends the load, if it runs. */
    void end() throws InterruptedException;
}
