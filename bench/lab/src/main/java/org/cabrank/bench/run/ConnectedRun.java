package org.cabrank.bench.run;

import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.kernel.Kernel;

record ConnectedRun(LoadGenerator generator) implements GeneratorRun {

    static GeneratorRun start(Kernel kernel, LoadSettings settings) throws InterruptedException {
        LoadGenerator generator = LoadGenerator.start(kernel, settings, () -> {});
        generator.awaitConnected();
        return new ConnectedRun(generator);
    }

    @Override
    public void beginMeasuring(long latencyDelayNs) throws InterruptedException {
        generator.beginMeasuring(latencyDelayNs);
    }

    @Override
    public void endMeasuring() {
        generator.endMeasuring();
    }

    @Override
    public IntervalResult finish() throws InterruptedException {
        LoadResult result = generator.finish();
        return new IntervalResult(
                result.answers(),
                result.elapsedNs(),
                result.latencies(),
                result.errors(),
                generator.firstWrongAnswer(),
                result.effort(),
                result.fastLatencies(),
                null);
    }

    @Override
    public void end() throws InterruptedException {
        generator.finish();
    }
}
