package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.cabrank.bench.experiment.HostileCrowd;
import org.cabrank.bench.experiment.HostileLoad;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cabrank bench hostile}. */
@Command(
        name = "hostile",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Measures how fast a well-behaved client is answered, alone and beside hostile ones: connections that send nothing,"
                    + " leave a byte unread, never read their answers, dribble, or are reset.",
            "Exit status: 0 when every request of the well-behaved client was answered right, else 1."
        })
final class HostileCommand implements Callable<Integer> {

    @Mixin
    private BackendsOption backends;

    @Option(
            names = "--half-open",
            paramLabel = "N",
            description =
                    "Connections that send nothing (default 10000, or fewer where this process may not have as many"
                            + " descriptors).")
    private Integer halfOpen;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "5s",
            description =
                    "The measured interval, once without and once with hostile clients (default ${DEFAULT-VALUE}).")
    private Duration duration;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Requests per second of the well-behaved client (default ${DEFAULT-VALUE}).")
    private long rate;

    @Option(
            names = "--direct-memory",
            paramLabel = "MIB",
            defaultValue = "64",
            description = "Direct memory that the server may use, in MiB (default ${DEFAULT-VALUE}).")
    private int directMemory;

    @Mixin
    private CpuOptions cpus;

    @Mixin
    private ReportOptions report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.run(this::settings, HostileLoad::new);
    }

    private HostileLoad.Settings settings() {
        HostileCrowd crowd = halfOpen == null ? HostileCrowd.DEFAULT : HostileCrowd.DEFAULT.withHalfOpen(halfOpen);
        return new HostileLoad.Settings(
                backends.backends(),
                duration.toNanos(),
                rate,
                fitting(crowd),
                directMemory,
                cpus.serverCpus(),
                cpus.loadCpus());
    }

    /** Fewer half-open connections where the user has not asked for a number, and descriptors are short. */
    private HostileCrowd fitting(HostileCrowd wanted) {
        int room = Descriptors.room(CommandMachine.kernel());
        if (halfOpen == null && wanted.standing() > room && wanted.standing() - wanted.halfOpen() <= room) {
            int fewer = wanted.halfOpen() - (wanted.standing() - room);
            System.err.println("warning: " + fewer + " half-open connections instead of " + wanted.halfOpen()
                    + ", because this process may have no more descriptors: raise the hard limit (ulimit -Hn)");
            return wanted.withHalfOpen(fewer);
        }
        Descriptors.check(CommandMachine.kernel(), wanted.standing());
        return wanted;
    }
}
