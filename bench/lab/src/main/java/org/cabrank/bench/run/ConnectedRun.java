package org.cabrank.bench.run;

import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.GeneratorReport;
import org.cabrank.kernel.Kernel;

/** Load over connections. */
record ConnectedRun(LoadGenerator generator) implements GeneratorRun {

    /** Connects, and waits for the first answers. */
    static GeneratorRun start(Kernel kernel, LoadSettings settings) throws InterruptedException {
        LoadGenerator generator = LoadGenerator.start(kernel, settings, () -> {});
        generator.awaitConnected();
        return new ConnectedRun(generator);
    }

    @Override
    public void beginMeasuring(long settleNs) throws InterruptedException {
        generator.beginMeasuring(settleNs);
    }

    @Override
    public void endMeasuring() {
        generator.endMeasuring();
    }

    @Override
    public GeneratorReport finish(ProcessUsage server, ProcessUsage load, GeneratorLimit.Server serverUse)
            throws InterruptedException {
        LoadResult result = generator.finish();
        return new GeneratorReport(
                result.answers(),
                result.elapsedNs(),
                Recorded.latency(result.latencies()),
                Recorded.usage(server),
                Recorded.usage(load),
                Recorded.compressed(result.latencies()),
                result.errors(),
                generator.firstWrongAnswer(),
                GeneratorLimit.words(result.effort(), Runtime.getRuntime().availableProcessors(), serverUse),
                Recorded.fast(result.fastLatencies()),
                null);
    }

    @Override
    public void end() throws InterruptedException {
        generator.finish();
    }
}
