package org.cabrank.bench.cli;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.load.datagram.FanOutSubscribers;
import org.cabrank.bench.text.HostPort;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Flags of {@code cabrank load} for datagrams. */
final class DatagramLoadOptions {
    private static final int WINDOW = 16;
    private static final int SUBSCRIBERS = 4;
    private static final int SUBSCRIBERS_MAX = 10_000;
    private static final double PERCENT = 100;

    /** Flags for connections that mean the same for datagrams. */
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

    /** Flags that are for datagrams alone. */
    private static final Set<String> OWN = Set.of(
            "--udp",
            "--flows",
            "--window",
            "--loss-timeout",
            "--loss-max",
            "--one-way",
            "--segments",
            "--interface",
            "--fan-out",
            "--subscribers",
            "--stalled",
            "--pid");

    @Option(
            names = "--udp",
            paramLabel = "HOST:PORT",
            description = {
                "Sends datagrams instead: to a server that sends each back, or to a multicast group. Loss, order and"
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
            names = "--one-way",
            description = "For --udp with --rate: no answers are expected, as of a multicast group.")
    private boolean oneWay;

    @Option(
            names = "--segments",
            description = "For --udp: one system call hands over many datagrams in one piece (UDP_SEGMENT), and takes"
                    + " answers likewise (UDP_GRO). A datagram with its headers must fit into the MTU.")
    private boolean segments;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description = "For --udp: network interface by which multicast datagrams leave, such as lo (default: by the"
                    + " route).")
    private String interfaceName;

    @Option(
            names = "--fan-out",
            paramLabel = "HOST:PORT",
            description = "For --udp with --rate and a multicast group: besides, TCP subscribers of a gateway at this"
                    + " address ('cabrank serve udp-fanout'), which count the datagrams that do not come, and record the"
                    + " time from the due time of a datagram to the read of its frame. Means --one-way.")
    private HostPort gateway;

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            description = "For --fan-out: subscribers that read (default " + SUBSCRIBERS + ").")
    private Integer subscribers;

    @Option(
            names = "--stalled",
            paramLabel = "N",
            description = "For --fan-out: besides, subscribers that connect and read nothing (default 0).")
    private Integer stalled;

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "For --fan-out: process of the gateway, whose resident memory is reported.")
    private Long pid;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /**
     * Returns true if datagrams are to be sent.
     *
     * @throws IllegalArgumentException if flags for connections and for datagrams stand together
     */
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

    /** Target as the user has named it. */
    HostPort target() {
        return udp;
    }

    /**
     * Makes the load that the flags describe.
     *
     * @param ratePerSecond null: a window
     * @param burst null: each datagram has a due time of its own
     * @throws IllegalArgumentException if a value is out of range, or the flags contradict each other
     */
    DatagramLoad load(InetSocketAddress address, int sizeBytes, Long ratePerSecond, Integer burst, int threads) {
        if (gateway != null && ratePerSecond == null) {
            throw new IllegalArgumentException("--fan-out needs --rate: subscribers send nothing back");
        }
        if (ratePerSecond == null && (burst != null || oneWay)) {
            throw new IllegalArgumentException((oneWay ? "--one-way" : "--burst") + " with --udp needs --rate");
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
        load = load.withThreads(threads).withSegments(segments).withInterface(interfaceName);
        if (burst != null) {
            load = load.withBurst(burst);
        }
        if (lossTimeout != null) {
            load = load.withLossTimeout(lossTimeout.toNanos());
        }
        return oneWay || gateway != null ? load.withoutAnswers() : load;
    }

    /**
     * Returns the subscribers of a gateway; null: none.
     *
     * @throws IllegalArgumentException if a value is out of range, or the flags contradict each other
     * @throws UnknownHostException if the host of the gateway is not known
     */
    FanOutLoad fanOut(DatagramLoad load) throws UnknownHostException {
        if (gateway == null) {
            if (subscribers != null || stalled != null || pid != null) {
                throw new IllegalArgumentException(
                        "--subscribers, --stalled and --pid are for --fan-out: name a gateway");
            }
            return null;
        }
        int reading = subscribers == null ? SUBSCRIBERS : subscribers;
        int stalling = stalled == null ? 0 : stalled;
        if (reading < 1 || stalling < 0 || reading + stalling > SUBSCRIBERS_MAX) {
            throw new IllegalArgumentException("--subscribers and --stalled are " + reading + " and " + stalling
                    + ", expected at least 1 and 0, together at most " + SUBSCRIBERS_MAX);
        }
        if (pid != null && pid < 1) {
            throw new IllegalArgumentException("--pid is " + pid + ", expected the id of a process, 1 or more");
        }
        return new FanOutLoad(
                new FanOutSubscribers(CommandMachine.kernel(), gateway.resolve(), load.flows(), reading, stalling),
                gateway.toString(),
                pid == null ? 0 : pid);
    }

    /** Loss, 0 to 1, up to which the run is a success. */
    double lossMax() {
        return lossMax == null ? 0 : lossMax / PERCENT;
    }
}
