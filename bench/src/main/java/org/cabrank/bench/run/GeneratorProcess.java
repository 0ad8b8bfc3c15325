package org.cabrank.bench.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.measure.ProcessSample;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.GeneratorReport;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Usage;
import org.cabrank.bench.text.HostPort;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;

/**
 * What runs in the load generator's process of the bench, for one run after another:
 *
 * <pre>
 *   bench                                                     generator
 *   load HOST:PORT CONNECTIONS SIZE THREADS SERVER-PID     →
 *                                                          ←  connected
 *   measure                                                →                load has been running: warm-up
 *                                                          ←  measuring
 *   measured                                               →
 *                                                          ←  measured      load goes on
 *   finish                                                 →
 *                                                          ←  result JSON
 * </pre>
 *
 * It samples the server's process itself, at the very ends of the measured interval. Anything that goes wrong is answered
 * with {@code failed WORDS}.
 */
public final class GeneratorProcess {

    static final String LOAD = "load";
    static final String CONNECTED = "connected";
    static final String MEASURE = "measure";
    static final String MEASURING = "measuring";
    static final String MEASURED = "measured";
    static final String FINISH = "finish";
    static final String RESULT = "result ";

    private final Kernel kernel;
    private final BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final ObjectMapper json = new ObjectMapper();

    private GeneratorProcess(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Serves the bench until standard input ends. */
    public static void run() throws IOException, InterruptedException {
        try {
            new GeneratorProcess(Kernels.system()).serve();
        } catch (KernelUnavailableException none) {
            System.out.println("failed " + none.getMessage());
        }
        // Also when the bench was killed.
        Runtime.getRuntime().halt(0);
    }

    private void serve() throws IOException, InterruptedException {
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            try {
                load(command.split(" "));
            } catch (IOException failure) {
                System.out.println("failed " + failure.getMessage());
            }
        }
    }

    private void load(String[] words) throws IOException, InterruptedException {
        if (words.length != 6 || !words[0].equals(LOAD)) {
            throw new IOException("unknown command from the bench: " + String.join(" ", words));
        }
        LoadSettings settings = new LoadSettings(
                HostPort.parse(words[1]).resolve(),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                0,
                false,
                LoadSettings.DEFAULT_TIMEOUT_NS);
        LoadGenerator generator = LoadGenerator.start(kernel, settings, () -> {});
        try {
            generator.awaitConnected();
            measure(generator, Long.parseLong(words[5]));
        } finally {
            generator.finish();
        }
    }

    private void measure(LoadGenerator generator, long serverPid) throws IOException, InterruptedException {
        long ownPid = ProcessHandle.current().pid();
        System.out.println(CONNECTED);
        expect(MEASURE);
        ProcessSample loadBefore = ProcessSample.of(ownPid);
        ProcessSample serverBefore = ProcessSample.of(serverPid);
        generator.beginMeasuring();
        System.out.println(MEASURING);
        expect(MEASURED);
        generator.endMeasuring();
        ProcessSample serverAfter = ProcessSample.of(serverPid);
        ProcessSample loadAfter = ProcessSample.of(ownPid);
        System.out.println(MEASURED);
        expect(FINISH);
        LoadResult result = generator.finish();
        System.out.println(RESULT
                + json.writeValueAsString(new GeneratorReport(
                        result.answers(),
                        result.elapsedNs(),
                        latency(result.latencies()),
                        usage(serverAfter.since(serverBefore)),
                        usage(loadAfter.since(loadBefore)),
                        compressed(result.latencies()),
                        result.errors(),
                        generator.firstWrongAnswer())));
    }

    private void expect(String command) throws IOException {
        String line = commands.readLine();
        if (!command.equals(line)) {
            throw new IOException("the bench said '" + line + "' instead of '" + command + "'");
        }
    }

    private static Latency latency(Histogram latencies) {
        return new Latency(
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                latencies.getValueAtPercentile(99.9),
                latencies.getMaxValue(),
                latencies.getStdDeviation());
    }

    private static Usage usage(ProcessUsage usage) {
        return new Usage(
                usage.cpuNs(),
                usage.ringThreadsNs(),
                usage.userTicks(),
                usage.systemTicks(),
                usage.switches(),
                usage.elapsedNs());
    }

    private static String compressed(Histogram latencies) {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
