package org.cabrank.bench.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.load.ClientTls;
import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.load.LoadRequest;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.log.JdkLogFormat;
import org.cabrank.bench.measure.AllowedCpus;
import org.cabrank.bench.measure.ProcessSample;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;

/**
 * Main class of the load generator's process. For each run, the bench and the generator exchange these lines:
 *
 * <pre>
 *   bench                            generator
 *   load LoadRequest as JSON      →                  or "datagrams" or "segments" instead of "load"
 *                                 ←  connected       the load begins; the bench waits for the warm-up
 *   measure                       →
 *                                 ←  measuring
 *   measured                      →
 *                                 ←  measured        the load continues
 *   finish                        →
 *                                 ←  result GeneratorReport as JSON
 * </pre>
 *
 * The generator samples the server's process at the beginning and at the end of the measured interval. If an error occurs, its answer is
 * {@code failed MESSAGE}.
 */
public final class GeneratorProcess {

    static final String LOAD = "load ";
    static final String DATAGRAMS = "datagrams ";
    static final String SEGMENTS = "segments ";
    static final String CONNECTED = "connected";
    static final String MEASURE = "measure";
    static final String MEASURING = "measuring";
    static final String MEASURED = "measured";
    static final String FINISH = "finish";
    static final String RESULT = "result ";

    /** Latencies count only after this time. If the load has one CPU, requests wait while the generator takes the first samples. */
    private static final long SETTLE_NS = 5_000_000;

    private final Kernel kernel;
    private final BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final ObjectMapper json = new ObjectMapper();

    /** TLS with the files in {@link #tlsDirectory}. Null until a server uses TLS. */
    private ClientTls tls;

    private String tlsDirectory;

    private GeneratorProcess(Kernel kernel) {
        this.kernel = kernel;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        JdkLogFormat.setUnlessGiven();
        try {
            new GeneratorProcess(Kernels.system()).serve();
        } catch (KernelUnavailableException none) {
            System.out.println("failed " + none.getMessage());
        }
        // If the bench is killed, the input ends. Then this call ends the process.
        Runtime.getRuntime().halt(0);
    }

    private void serve() throws IOException, InterruptedException {
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            try {
                load(command);
            } catch (IOException failure) {
                System.out.println("failed " + failure.getMessage());
            }
        }
    }

    private void load(String command) throws IOException, InterruptedException {
        String kind = command.substring(0, command.indexOf(' ') + 1);
        LoadRequest request = json.readValue(command.substring(kind.length()), LoadRequest.class);
        LoadSettings settings = request.settings(tls(request));
        GeneratorRun run = switch (kind) {
            case LOAD -> ConnectedRun.start(kernel, settings);
            case DATAGRAMS -> DatagramRun.start(kernel, settings, false);
            case SEGMENTS -> DatagramRun.start(kernel, settings, true);
            default -> throw new IOException("unknown command from the bench: " + command);
        };
        try {
            measure(run, request.serverPid());
        } finally {
            run.end();
        }
    }

    private ClientTls tls(LoadRequest request) throws IOException {
        String directory = request.tlsDirectory();
        if (directory == null) {
            return null;
        }
        if (!directory.equals(tlsDirectory)) {
            tls = GeneratorTls.of(new LabTls(Path.of(directory)));
            tlsDirectory = directory;
        }
        return tls;
    }

    private void measure(GeneratorRun run, long serverPid) throws IOException, InterruptedException {
        long ownPid = ProcessHandle.current().pid();
        System.out.println(CONNECTED);
        expect(MEASURE);
        ProcessSample loadBefore = ProcessSample.of(ownPid);
        int serverCpus = AllowedCpus.of(serverPid).size();
        ProcessSample serverBefore = ProcessSample.of(serverPid);
        run.beginMeasuring(SETTLE_NS);
        System.out.println(MEASURING);
        expect(MEASURED);
        run.endMeasuring();
        ProcessSample serverAfter = ProcessSample.of(serverPid);
        ProcessSample loadAfter = ProcessSample.of(ownPid);
        System.out.println(MEASURED);
        expect(FINISH);
        ProcessUsage server = serverAfter.since(serverBefore);
        GeneratorLimit.Server serverUse =
                new GeneratorLimit.Server(server.cpusBusy(), server.busiestThread(), serverCpus);
        System.out.println(
                RESULT + json.writeValueAsString(run.finish().report(server, loadAfter.since(loadBefore), serverUse)));
    }

    private void expect(String command) throws IOException {
        String line = commands.readLine();
        if (!command.equals(line)) {
            throw new IOException("the bench said '" + line + "' instead of '" + command + "'");
        }
    }
}
