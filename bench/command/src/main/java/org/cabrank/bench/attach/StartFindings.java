package org.cabrank.bench.attach;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.cabrank.pinning.doctor.Check;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.RingTrial;

/** Finds settings of a server that will cause problems. The server logs the findings when it starts, and the doctor reports them. */
public final class StartFindings {
    private static final String RING_REFUSED = "[io_uring: ";

    private StartFindings() {}

    /** @param connectionsMax 0 if there is no limit */
    public record Facts(boolean tls, long threadsMax, long connectionsMax, ProcessFacts process) {}

    public static List<Finding> of(ServerBeans server, ProcessFacts process) {
        long threadsMax = server.pools().stream()
                .mapToLong(pool -> pool.number("ThreadsMax"))
                .min()
                .orElse(0);
        long connectionsMax = server.reactors().stream()
                .mapToLong(reactor ->
                        Math.max(reactor.number("ConnectionsLimit"), reactor.number("ListenersConnectionsLimit")))
                .max()
                .orElse(0);
        return Stream.concat(
                        of(new Facts(!server.tls().isEmpty(), threadsMax, connectionsMax, process)).stream(),
                        server.reactors().stream().flatMap(reactor -> ring(reactor.text("Backend")).stream()))
                .toList();
    }

    /** Reports that the kernel refused a ring. Only the doctor uses this, because the server logs the refusal itself at its start. */
    private static Optional<Finding> ring(String backend) {
        int reason = backend.indexOf(RING_REFUSED);
        return reason < 0
                ? Optional.empty()
                : Optional.of(RingTrial.refused(
                        backend.substring(reason + RING_REFUSED.length()).replaceFirst("](?s:\\n.*)?$", "")));
    }

    public static List<Finding> of(Facts facts) {
        return Stream.of(handshakes(facts), quota(facts), descriptors(facts))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Finding> handshakes(Facts facts) {
        return facts.tls() && facts.threadsMax() == 1
                ? Optional.of(new Check("tls-threads", "TLS")
                        .warning(
                                "a shard has one thread and cannot grow",
                                "a handshake computes for about a millisecond, and all connections of its shard wait",
                                "leave --threads-per-shard out or give 2 or more, or give handshakes threads of their own"
                                        + " (Tls.Builder.handshakeExecutor)"))
                : Optional.empty();
    }

    private static Optional<Finding> quota(Facts facts) {
        return facts.process().cpuQuota() < 1
                ? Optional.of(new Check("cpu-share", "CPU quota")
                        .warning(
                                String.format(
                                        Locale.ROOT,
                                        "the cgroup has the time of %.2f CPUs",
                                        facts.process().cpuQuota()),
                                "the kernel stops all threads for the rest of each period (mostly 100 ms), garbage"
                                        + " collection and JIT included",
                                "give the container a whole CPU (docker --cpus 1, Kubernetes limits.cpu: 1)"))
                : Optional.empty();
    }

    private static Optional<Finding> descriptors(Facts facts) {
        return facts.connectionsMax() >= facts.process().descriptors()
                ? Optional.of(new Check("connection-descriptors", "descriptors")
                        .warning(
                                String.format(
                                        Locale.ROOT,
                                        "the limit of %,d connections is not below that of %,d descriptors",
                                        facts.connectionsMax(),
                                        facts.process().descriptors()),
                                "the limit in force is that of the descriptors: clients beyond it are reset",
                                "a higher limit (ulimit -n, LimitNOFILE, --ulimit nofile), or a lower"
                                        + " --max-connections"))
                : Optional.empty();
    }
}
