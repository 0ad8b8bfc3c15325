package org.cabrank.bench.cli;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.text.HostPort;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

final class DatagramLoadOptions {
    private static final int WINDOW = 16;
    private static final double PERCENT = 100;

    /** Flags that apply to connections and to datagrams. */
    private static final Set<String> SHARED = Set.of(
            "--size",
            "--rate",
            "--burst",
            "--duration",
            "--warmup",
            "--threads",
            "--cpus",
            "--json",
            "--help",
            "--version");

    private static final Set<String> OWN =
            Set.of("--udp", "--flows", "--window", "--loss-timeout", "--loss-max", "--segments");

    @Option(
            names = "--udp",
            paramLabel = "HOST:PORT",
            description = {
                "Sends datagrams instead, to a server that sends each back. Loss, order and"
                        + " repetition are counted by numbers in the datagrams, of at least 24 bytes. With --rate (and"
                        + " --burst: so many are due at one instant) latencies count from the time a datagram was due;"
                        + " without it, each flow has --window datagrams under way. Ctrl-C ends the run early, and prints"
                        + " the result so far.",
                "Of the flags above, --size, --rate, --burst, --duration, --warmup, --threads, --cpus and --json go with"
                        + " it."
            })
    private HostPort udp;

    @Option(
            names = "--flows",
            paramLabel = "N",
            description = "For --udp: connected sockets, each with a source port of its own (default 1).")
    private Integer flows;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "For --udp without --rate: unanswered datagrams of each flow (default " + WINDOW + ").")
    private Integer window;

    @Option(
            names = "--loss-timeout",
            paramLabel = "TIME",
            description =
                    "For --udp: time after which an unanswered datagram frees its place in the window, and for which"
                            + " missing answers are waited for at the end (default 200ms).")
    private Duration lossTimeout;

    @Option(
            names = "--loss-max",
            paramLabel = "PERCENT",
            description = "For --udp: loss up to which the exit status is 0 (default 0).")
    private Double lossMax;

    @Option(
            names = "--segments",
            description = "For --udp: one system call hands over many datagrams in one piece (UDP_SEGMENT), and takes"
                    + " answers likewise (UDP_GRO). A datagram with its headers must fit into the MTU.")
    private boolean segments;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Returns true if {@code --udp} is set. Fails if a flag for connections is combined with a flag for datagrams. */
    boolean isWanted() {
        for (OptionSpec given : command.commandLine().getParseResult().matchedOptionsSet()) {
            String flag = given.longestName();
            if (udp == null && OWN.contains(flag)) {
                throw new IllegalArgumentException(flag + " is for --udp: leave it out, or name a target with --udp");
            }
            if (udp != null && !OWN.contains(flag) && !SHARED.contains(flag)) {
                throw new IllegalArgumentException(flag + " is for connections: leave it out, or leave out --udp");
            }
        }
        return udp != null;
    }

    HostPort target() {
        return udp;
    }

    /** Makes a load with a fixed rate, or with a window if {@code ratePerSecond} is null. {@code burst} is null without bursts. */
    DatagramLoad load(InetSocketAddress address, int sizeBytes, Long ratePerSecond, Integer burst, int threads) {
        if (ratePerSecond == null && burst != null) {
            throw new IllegalArgumentException("--burst with --udp needs --rate");
        }
        if (ratePerSecond != null && window != null) {
            throw new IllegalArgumentException("--rate does not wait for answers: leave out --window, or --rate");
        }
        if (ratePerSecond != null && ratePerSecond < 1) {
            throw new IllegalArgumentException("--rate is " + ratePerSecond + ", expected 1 or more");
        }
        if (window != null && window < 1) {
            throw new IllegalArgumentException("--window is " + window + ", expected 1 or more");
        }
        if (lossMax != null && !(lossMax >= 0 && lossMax <= PERCENT)) {
            throw new IllegalArgumentException("--loss-max is " + lossMax + ", expected 0 to 100");
        }
        int flowCount = flows == null ? 1 : flows;
        DatagramLoad load = ratePerSecond == null
                ? DatagramLoad.closedLoop(address, sizeBytes, flowCount, window == null ? WINDOW : window)
                : DatagramLoad.fixedRate(address, sizeBytes, flowCount, ratePerSecond);
        load = load.withThreads(threads).withSegments(segments);
        if (burst != null) {
            load = load.withBurst(burst);
        }
        if (lossTimeout != null) {
            load = load.withLossTimeout(lossTimeout.toNanos());
        }
        return load;
    }

    double lossMax() {
        return lossMax == null ? 0 : lossMax / PERCENT;
    }
}
