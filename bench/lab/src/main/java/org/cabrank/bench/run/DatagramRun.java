package org.cabrank.bench.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.load.datagram.DatagramGenerator;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.load.datagram.DatagramResult;
import org.cabrank.bench.report.DatagramCounts;
import org.cabrank.kernel.Kernel;

/** Load of datagrams. The connections of the traffic are flows, and its depth is the window of each flow. */
record DatagramRun(DatagramGenerator generator) implements GeneratorRun {

    /** Waits for the first answer. If {@code segmented}, the kernel cuts and joins datagrams (UDP_SEGMENT, UDP_GRO). */
    static GeneratorRun start(Kernel kernel, LoadSettings settings, boolean segmented)
            throws IOException, InterruptedException {
        DatagramGenerator generator = DatagramGenerator.start(kernel, load(settings, segmented), () -> {});
        DatagramGenerator.Start start = generator.awaitAnswer(settings.timeoutNs());
        if (start == DatagramGenerator.Start.ANSWERED) {
            return new DatagramRun(generator);
        }
        Map<String, Long> errors = generator.finish().errors();
        throw new IOException(
                "no datagram was answered" + (errors.isEmpty() ? "" : ": " + String.join(", ", errors.keySet())));
    }

    private static DatagramLoad load(LoadSettings settings, boolean segmented) {
        InetSocketAddress server = settings.address();
        LoadTraffic traffic = settings.traffic();
        DatagramLoad load = traffic.ratePerSecond() > 0
                ? DatagramLoad.fixedRate(server, traffic.sizeBytes(), traffic.connections(), traffic.ratePerSecond())
                : DatagramLoad.closedLoop(server, traffic.sizeBytes(), traffic.connections(), traffic.depth());
        return load.withThreads(settings.threads()).withSegments(segmented);
    }

    @Override
    public void beginMeasuring(long latencyDelayNs) throws InterruptedException {
        generator.run(latencyDelayNs);
        generator.beginMeasuring();
    }

    @Override
    public void endMeasuring() {
        generator.endMeasuring();
    }

    @Override
    public IntervalResult finish() throws InterruptedException {
        DatagramResult result = generator.finish();
        return new IntervalResult(
                result.answersInTime(),
                result.elapsedNs(),
                result.latencies(),
                errors(result),
                null,
                result.effort(),
                null,
                new DatagramCounts(
                        result.sent(), result.lost(), result.reordered(), result.duplicated(), result.drops()));
    }

    /** A wrong answer is an error, but a lost datagram is not. */
    private static Map<String, Long> errors(DatagramResult result) {
        Map<String, Long> errors = new TreeMap<>(result.errors());
        if (result.wrong() > 0) {
            errors.put("wrong answers", result.wrong());
        }
        return errors;
    }

    @Override
    public void end() throws InterruptedException {
        generator.finish();
    }
}
