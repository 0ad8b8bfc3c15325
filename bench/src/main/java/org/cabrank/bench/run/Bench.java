package org.cabrank.bench.run;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.Affinity;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchTable;
import org.cabrank.bench.report.ContenderSummary;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.text.BuildVersion;
import org.cabrank.kernel.Kernel;

/**
 * The bench from beginning to end: plans the CPUs, runs the rounds, prints the table and writes the JSON file. When the
 * user ends it early, its children are killed, and what was finished is printed and written.
 */
public final class Bench {

    private static final double TURN_OVERHEAD_NS = 1.2e9;

    private final BenchSettings settings;
    private final List<String> arguments;
    private final Path jsonFile;
    private final PrintStream out;
    private final Kernel kernel;
    private final Children children = new Children();
    private final JvmCommand jvm = JvmCommand.likeThisOne();
    private final MachineFacts facts = MachineFacts.ofThisMachine();
    private final String startedAt =
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final Affinity affinity;
    private final Pinning pinning;
    private final CpuPlan cpus;
    private final Progress progress;
    private final BenchRun run;

    /**
     * @param arguments of the command line, for the report
     * @throws IllegalArgumentException when the settings ask for CPUs that this process may not use
     */
    public Bench(
            BenchSettings settings,
            List<String> arguments,
            Path jsonFile,
            PrintStream out,
            PrintStream err,
            Kernel kernel)
            throws IOException {
        this.settings = settings;
        this.arguments = List.copyOf(arguments);
        this.jsonFile = jsonFile;
        this.out = out;
        this.kernel = kernel;
        affinity = new Affinity(kernel);
        pinning = new Pinning(affinity);
        cpus = CpuPlan.of(affinity.current(), settings.serverCpus(), settings.loadCpus(), facts::siblings);
        int turns = settings.rounds() * settings.contenders().size();
        double turnNs = settings.warmupNs() + settings.durationNs() + TURN_OVERHEAD_NS;
        progress = new Progress(err, Progress.onTerminal(), turns, turnNs, System.nanoTime());
        run = new BenchRun(settings, cpus, jvm, pinning, children, progress);
    }

    /** Runs it; true when every run of every contender went well. */
    public boolean run() throws IOException, InterruptedException {
        Thread hook = new Thread(this::endEarly, "bench-ended-early");
        Runtime.getRuntime().addShutdownHook(hook);
        out.println(cpus.explanation());
        if (!cpus.shared()) {
            keepOffTheServersCpus();
        }
        loadClassesOfFirstAnswer();
        run.run(Schedule.of(settings.contenders(), settings.rounds()));
        if (children.ending()) {
            // The shutdown hook is at work and has the last word.
            Thread.currentThread().join();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        publish(true);
        return run.records().stream().noneMatch(RunRecord::failed);
    }

    /** This process does little while the others run, but not on the server's CPU. */
    private void keepOffTheServersCpus() throws IOException {
        affinity.pin(affinity.current().without(cpus.server()));
    }

    /** So that the first contender's time to the first answer is not that of loading this side's classes. */
    private static void loadClassesOfFirstAnswer() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread echo = new Thread(
                    () -> {
                        try (SocketChannel channel = listener.accept()) {
                            ByteBuffer one = ByteBuffer.allocate(1);
                            channel.read(one);
                            channel.write(one.flip());
                        } catch (IOException broken) {
                            throw new UncheckedIOException(broken);
                        }
                    },
                    "first-answer");
            echo.start();
            ServerProcess.echoOneByte((InetSocketAddress) listener.getLocalAddress());
        }
    }

    private void endEarly() {
        children.endAll();
        progress.clear();
        out.println("Ended early: this is what was finished.");
        try {
            publish(false);
        } catch (IOException notWritten) {
            out.println("cannot write " + jsonFile + ": " + notWritten.getMessage());
        }
        out.flush();
    }

    private void publish(boolean complete) throws IOException {
        progress.clear();
        BenchReport report = report(complete);
        if (!report.runs().isEmpty()) {
            out.println();
            out.print(BenchTable.render(report));
            JsonFile.write(report, jsonFile);
            out.println("Raw numbers: " + jsonFile);
        }
        out.flush();
    }

    private BenchReport report(boolean complete) {
        List<RunRecord> records = run.records();
        List<ContenderSummary> summary = settings.contenders().stream()
                .map(contender -> ContenderSummary.of(contender.name(), baseline(), records))
                .toList();
        return new BenchReport(
                BenchReport.FORMAT,
                startedAt,
                complete,
                arguments,
                versions(),
                facts.machine(),
                new BenchReport.Jvm(
                        System.getProperty("java.vm.version"),
                        System.getProperty("java.vm.vendor"),
                        System.getProperty("java.home"),
                        jvm.flags()),
                new BenchReport.Cpus(
                        cpus.server().toString(), cpus.load().toString(), cpus.shared(), cpus.explanation()),
                reportedSettings(),
                settings.contenders().stream().map(Bench::info).toList(),
                baseline(),
                summary,
                records);
    }

    /** Netty's epoll where it runs, else whoever runs first. */
    private String baseline() {
        return settings.contenders().stream()
                .map(Contender::name)
                .filter(Contenders.BASELINE::equals)
                .findFirst()
                .orElse(settings.contenders().get(0).name());
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("cabrank", BuildVersion.text());
        versions.put("netty", Contenders.nettyVersion());
        versions.put("kernel binding", kernel.name());
        return versions;
    }

    private BenchReport.Settings reportedSettings() {
        return new BenchReport.Settings(
                settings.rounds(),
                settings.warmupNs(),
                settings.durationNs(),
                settings.connections(),
                settings.sizeBytes(),
                BenchRun.loadThreads(settings, cpus),
                settings.server().slow().permille(),
                settings.server().slow().timeNs(),
                settings.server().threads(),
                settings.server().maxGapNs());
    }

    private static BenchReport.ContenderInfo info(Contender contender) {
        return new BenchReport.ContenderInfo(
                contender.name(),
                contender.tuning(),
                contender.jvmFlags(Runtime.version().feature()));
    }
}
