package org.cabrank.bench.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.cabrank.bench.datagram.FanOut;
import org.cabrank.bench.datagram.SlowPolicy;
import org.cabrank.bench.text.HostPort;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.StreamTimeouts;
import picocli.CommandLine.Option;

/** Flags of {@code cabrank serve udp-fanout}, and the start of its server. */
final class FanOutOptions {
    private static final int QUEUE_BYTES_MIN = 1 << 17;
    private static final int QUEUE_BYTES_MAX = 1 << 30;

    /** Flags that the fan-out has no use for. */
    private static final List<String> USELESS = List.of(
            "--work",
            "--slow-permille",
            "--slow-time",
            "--slow-mode",
            "--drain-delay",
            "--proxy-protocol",
            "--handover",
            "--metrics",
            "--live",
            "--live-interval");

    @Option(
            names = "--group",
            paramLabel = "ADDRESS:PORT",
            required = true,
            description =
                    "Multicast group and its port, such as 239.1.2.3:5000; may be given several times: frames carry"
                            + " the number of the group, from 0.")
    private List<HostPort> groups;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            defaultValue = "lo",
            description = "Network interface on which the groups are joined (default ${DEFAULT-VALUE}).")
    private String interfaceName;

    @Option(
            names = "--slow",
            paramLabel = "drop-oldest|drop-newest|disconnect",
            defaultValue = "drop-oldest",
            converter = Converters.SlowPolicies.class,
            description =
                    "Outcome for a subscriber whose queue is full: drop the oldest frames of its queue, drop the new"
                            + " frame, or reset its connection (default ${DEFAULT-VALUE}).")
    private SlowPolicy policy;

    @Option(
            names = "--queue",
            paramLabel = "BYTES",
            defaultValue = "1m",
            converter = Converters.ByteCounts.class,
            description =
                    "Queue of each subscriber, 128k to 1g; rounded up to a power of two (default ${DEFAULT-VALUE}).")
    private int queueBytes;

    /** Multicast groups, as the user has named them. */
    String groups() {
        return groups.stream().map(HostPort::toString).collect(Collectors.joining(" and "));
    }

    /**
     * Starts the server.
     *
     * @throws IllegalArgumentException if a flag is wrong
     * @throws IOException if the machine refuses, with cause and remedy
     */
    DatagramServeRun start(ListenTarget listen, ServeOptions options, DatagramServeOptions datagrams)
            throws IOException {
        options.refuse("udp-fanout", USELESS);
        List<InetSocketAddress> addresses = addresses();
        NetworkInterface via = NetworkInterface.getByName(interfaceName);
        if (via == null) {
            throw new IllegalArgumentException(
                    "--interface: there is no network interface '" + interfaceName + "'; see ip link");
        }
        FanOut fanOut = new FanOut(policy, queue());
        StreamServer.Builder builder = options.configure(StreamTimeouts.NEVER)
                .name(DatagramServeRun.NAME)
                .handler(fanOut::newSubscriber);
        listen.configure(builder);
        StreamServer server = builder.start();
        boolean joined = false;
        try {
            fanOut.join(server.reactor(), addresses, via, datagrams.options());
            joined = true;
            String subscribers = ListenTarget.format(server.localAddress());
            return new DatagramServeRun(
                    options, server.reactor(), fanOut, null, subscribers, "udp-fanout of " + groups());
        } finally {
            if (!joined) {
                server.close();
            }
        }
    }

    private List<InetSocketAddress> addresses() throws UnknownHostException {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (HostPort group : groups) {
            InetSocketAddress address = group.resolve();
            if (!address.getAddress().isMulticastAddress() || address.getPort() == 0) {
                throw new IllegalArgumentException("--group " + group
                        + ": expected a multicast address (224.0.0.0 to 239.255.255.255, or ff00::/8) and a port");
            }
            if (addresses.contains(address)) {
                throw new IllegalArgumentException("--group " + group + " is named twice: leave one out");
            }
            addresses.add(address);
        }
        return addresses;
    }

    private int queue() {
        if (queueBytes < QUEUE_BYTES_MIN || queueBytes > QUEUE_BYTES_MAX) {
            throw new IllegalArgumentException("--queue must be from 128k to 1g, but is " + queueBytes);
        }
        return Integer.bitCount(queueBytes) == 1 ? queueBytes : Integer.highestOneBit(queueBytes) << 1;
    }
}
