package org.cabrank.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadReport;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.text.HostPort;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Loads an echo server and verifies every answer byte by byte: one that is wrong, missing or comes twice is an"
                    + " error.",
            "With --udp it sends datagrams, and counts those that are lost.",
            "Exit status: 0 when every request got its right answer, else 1. With --udp: 0 when answers came, none was"
                    + " wrong, the network reported no error and loss is no more than --loss-max."
        })
final class LoadCommand implements Callable<Integer> {

    @Option(
            names = "--connect",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7000",
            description = "The echo server (default ${DEFAULT-VALUE}).")
    private HostPort connect;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "64", description = "Default ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "64",
            description = "Size of a request and of its answer (default ${DEFAULT-VALUE}).")
    private int size;

    @Mixin
    private TrafficOptions traffic;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long to measure (default ${DEFAULT-VALUE}).")
    private Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "Load before that, which is not measured (default ${DEFAULT-VALUE}).")
    private Duration warmup;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads of the generator (default ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--cpus",
            paramLabel = "LIST",
            converter = Converters.Cpus.class,
            description = "Pins each thread to one of these CPUs, in turn; such as 0-3,8 (default: not pinned).")
    private CpuList cpus;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "5s",
            description =
                    "How long no connection may come while some are missing, and how long missing answers are waited"
                            + " for at the end"
                            + " (default ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes the result with the histogram of latencies, too.")
    private Path json;

    @Mixin
    private LoadTlsOptions tls;

    @Mixin
    private DatagramLoadOptions datagrams;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (json != null) {
            ReportFile.checkWritable(json, "--json");
        }
        DatagramLoadRun datagramRun = datagramRun();
        if (datagramRun != null) {
            return datagramRun.run();
        }
        LoadSettings settings = settings();
        Descriptors.check(CommandMachine.kernel(), settings.traffic().connectionsInAll());
        if (tls.warning() != null) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("warning: " + tls.warning());
            err.flush();
        }
        LoadGenerator generator =
                LoadGenerator.start(CommandMachine.kernel(), settings, CommandMachine.pinningInTurn(cpus));
        generator.awaitConnected();
        try (LoadTimes times = new LoadTimes(spec.commandLine().getErr())) {
            return measure(settings, generator, times) ? 0 : Errors.FAILED;
        }
    }

    /** Returns true if every request got its right answer. */
    private boolean measure(LoadSettings settings, LoadGenerator generator, LoadTimes times)
            throws InterruptedException, IOException {
        times.pass("warm-up", warmup, generator::run);
        if (times.endedBeforeMeasuring()) {
            generator.finish();
            return false;
        }
        long beginMs = System.currentTimeMillis();
        generator.beginMeasuring();
        times.pass("measuring", duration, generator::run);
        generator.endMeasuring();
        long endMs = System.currentTimeMillis();
        LoadResult result = generator.finish();
        times.printEnd();
        LoadReport report = LoadReport.of(
                new LoadReport.Generator(
                        UUID.randomUUID().toString(),
                        connect.toString(),
                        settings.tls() != null,
                        settings.traffic(),
                        beginMs,
                        endMs,
                        result.effort(),
                        limit(result)),
                result);
        LoadPrinter printer =
                new LoadPrinter(spec.commandLine().getOut(), spec.commandLine().getErr());
        printer.print(report);
        if (json != null) {
            JsonFile.write(report, json);
        }
        boolean right = printer.printErrors(report, generator.firstWrongAnswer());
        printHints(result);
        return right;
    }

    /** Returns null if the load is for connections. */
    private DatagramLoadRun datagramRun() {
        requireDuration();
        try {
            if (!datagrams.isWanted()) {
                return null;
            }
            DatagramLoad load =
                    datagrams.load(datagrams.target().resolve(), size, traffic.rate(), traffic.burst(), threads);
            return new DatagramLoadRun(
                    datagrams.target().toString(),
                    load,
                    datagrams.lossMax(),
                    warmup,
                    duration,
                    cpus,
                    json,
                    spec.commandLine().getOut(),
                    spec.commandLine().getErr());
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        } catch (UnknownHostException unknown) {
            throw unknownHost(datagrams.target());
        }
    }

    private void requireDuration() {
        if (duration.isZero()) {
            throw new ParameterException(spec.commandLine(), "--duration is zero: nothing would be measured");
        }
    }

    private static Failure unknownHost(HostPort target) {
        return new Failure("the host '" + target.host() + "' is not known: check its spelling or give an address");
    }

    private LoadSettings settings() {
        try {
            InetSocketAddress address = connect.resolve();
            boolean sizeGiven = spec.commandLine().getParseResult().hasMatchedOption("--size");
            LoadTraffic wanted = traffic.traffic(connections, size, sizeGiven);
            return new LoadSettings(address, wanted, threads, timeout.toNanos(), tls.tls(connect));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        } catch (UnknownHostException unknown) {
            throw unknownHost(connect);
        }
    }

    private String limit(LoadResult result) {
        int usable = cpus == null ? Runtime.getRuntime().availableProcessors() : cpus.size();
        return GeneratorLimit.text(result.effort(), usable, null);
    }

    private void printHints(LoadResult result) {
        PrintWriter err = spec.commandLine().getErr();
        if (result.errors().keySet().stream().anyMatch(kind -> kind.contains("ECONNREFUSED"))) {
            err.println("nothing listens on " + connect + ": is the server running? 'cabrank serve echo' starts one");
        }
        if (result.errors().keySet().stream().anyMatch(kind -> kind.contains("TLS handshake: "))) {
            err.println("a handshake with " + connect + " failed: does the server speak TLS ('cabrank serve echo --tls"
                    + " self-signed')? --tls-ca FILE names the certificates to trust");
        }
        err.flush();
    }
}
