package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.bench.attach.AttachedServer;
import org.cabrank.bench.attach.MissingAttributeException;
import org.cabrank.bench.attach.Observation;
import org.cabrank.bench.attach.ProcessFacts;
import org.cabrank.bench.attach.ServerFindings;
import org.cabrank.bench.attach.StartFindings;
import org.cabrank.bench.text.Durations;
import org.cabrank.pinning.doctor.Finding;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options for a running server. If one is given, the doctor examines the server, and not the machine. */
final class ServerOptions {
    private static final Duration WINDOW_DEFAULT = Duration.ofSeconds(3);
    private static final Duration WINDOW_MIN = Duration.ofMillis(100);
    private static final Duration WINDOW_MAX = Duration.ofMinutes(10);

    /** Maximum time for all answers of the server, in addition to the time of the observation. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    /** Flags that cannot be combined with {@code --pid}. */
    private static final List<String> OF_A_MACHINE =
            List.of("--placement", "--shards", "--threads-per-shard", "--sysfs-root", "--procfs-root");

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description =
                    "Examines the server of this process instead of the machine, over JMX: serve --jmx, or jmx(true) of"
                            + " a builder. Starts the local management agent of its JVM.")
    private Long pid;

    @Option(
            names = "--observe",
            paramLabel = "TIME",
            description = "For --pid: how long the server is observed, 100ms to 10min (default 3s).")
    private Duration window;

    boolean isWanted(CommandLine command) {
        if (pid == null) {
            if (window != null) {
                throw new ParameterException(command, "--observe is for --pid: leave it out, or name a process");
            }
            return false;
        }
        if (pid < 1) {
            throw new ParameterException(command, "--pid is " + pid + ", expected the id of a process, 1 or more");
        }
        if (window != null && (window.compareTo(WINDOW_MIN) < 0 || window.compareTo(WINDOW_MAX) > 0)) {
            throw new ParameterException(
                    command, "--observe must be from 100ms to 10min, but is " + Durations.format(window.toNanos()));
        }
        for (String flag : OF_A_MACHINE) {
            if (command.getParseResult().hasMatchedOption(flag)) {
                throw new ParameterException(
                        command, flag + " is for the machine, and --pid for a server: leave one of them out");
            }
        }
        return true;
    }

    /** Examines the server on a new thread with a timeout, because attaching to a JVM that hangs has no timeout. */
    List<Finding> examine() {
        Duration observed = window == null ? WINDOW_DEFAULT : window;
        FutureTask<List<Finding>> examination = new FutureTask<>(() -> {
            try (AttachedServer server = AttachedServer.attach(pid)) {
                Observation observation = Observation.of(server, observed);
                ProcessFacts process = ProcessFacts.of(TopologyReader.SYSFS, TopologyReader.PROCFS, pid.toString());
                return Stream.concat(
                                StartFindings.of(observation.after(), process).stream(),
                                ServerFindings.examine(observation).stream())
                        .sorted(Comparator.comparing(Finding::severity))
                        .toList();
            }
        });
        Thread examiner = new Thread(examination, "cabrank-doctor");
        examiner.setDaemon(true);
        examiner.start();
        try {
            return examination.get(observed.plus(ANSWER_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } catch (TimeoutException hangs) {
            throw new Failure(
                    "--pid " + pid + ": the JVM does not answer within "
                            + Durations.format(ANSWER_TIMEOUT.toNanos())
                            + ": it hangs or gets no CPU; see its threads with top -H -p " + pid,
                    hangs);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Failure("--pid " + pid + ": interrupted", interrupted);
        }
    }

    private Failure failure(Throwable cause) {
        if (cause instanceof MissingAttributeException || cause instanceof IOException) {
            return new Failure("--pid " + pid + ": " + cause.getMessage(), cause);
        }
        throw new IllegalStateException("--pid " + pid + ": " + cause, cause);
    }
}
