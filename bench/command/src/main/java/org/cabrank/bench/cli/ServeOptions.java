package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.text.HostPort;
import org.cabrank.epoll.EpollBackendProvider;
import org.cabrank.epoll.EpollOptions;
import org.cabrank.iouring.IoUringBackendProvider;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.ReactorBuilder;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.ThreadPlacement;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

final class ServeOptions {

    /** Longest time from the end of the drain to the end of the process. Running handlers end in this time. */
    static final Duration END_AFTER_DRAIN = Duration.ofSeconds(10);

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "auto",
            converter = Converters.Backends.class,
            completionCandidates = Converters.Backends.class,
            description = "Interface to the kernel: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private Backend backend;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "1",
            description = "Handle sets, each with threads of its own (default ${DEFAULT-VALUE}).")
    private int shards;

    @Option(
            names = "--threads-per-shard",
            paramLabel = "N",
            description = "A fixed number of threads that take turns leading each (default: each finds its size, "
                    + PoolConfig.GROWING_FROM + " to " + PoolConfig.GROWING_TO
                    + " threads; 1 thread over io_uring).")
    private Integer threadsPerShard;

    @Option(
            names = "--promotion",
            paramLabel = "POLICY",
            defaultValue = "deferred",
            converter = Converters.Promotions.class,
            completionCandidates = Converters.Promotions.class,
            description =
                    "Moment at which a follower is promoted: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private Promotion promotion;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            converter = Converters.Orders.class,
            completionCandidates = Converters.Orders.class,
            defaultValue = "lifo",
            description = "Follower that is promoted: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private PromotionOrder order;

    @Option(
            names = "--max-gap",
            paramLabel = "TIME",
            description = "For deferred promotion: how long the handles may go unwatched (default 2ms).")
    private Duration maxGap;

    @Option(
            names = "--deactivation",
            paramLabel = "WAY",
            defaultValue = "claim",
            converter = Converters.Deactivations.class,
            completionCandidates = Converters.Deactivations.class,
            description = "Protection of a handle in processing from other threads: ${COMPLETION-CANDIDATES} (default"
                    + " ${DEFAULT-VALUE}).")
    private Deactivation deactivation;

    @Option(
            names = "--wait",
            paramLabel = "WAY",
            defaultValue = "block",
            converter = Converters.Waitings.class,
            completionCandidates = Converters.Waitings.class,
            description = "Way in which threads wait: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private Waiting wait;

    @Mixin
    private PinningOptions pinning;

    @Option(
            names = "--accept",
            paramLabel = "MODE",
            converter = Converters.AcceptModes.class,
            completionCandidates = Converters.AcceptModes.class,
            defaultValue = "exclusive",
            description = "Sharing of the port by the shards: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private AcceptMode accept;

    @Option(
            names = "--slow-permille",
            paramLabel = "N",
            defaultValue = "0",
            description = "That many of 1,000 requests, at random, also block their thread (default ${DEFAULT-VALUE}).")
    private int slowPermille;

    @Option(
            names = "--slow-time",
            paramLabel = "TIME",
            defaultValue = "5ms",
            description = "How long each of those blocks (default ${DEFAULT-VALUE}).")
    private Duration slowTime;

    @Option(
            names = "--idle-timeout",
            paramLabel = "TIME",
            description = "Closes connections that are idle for so long; 0 for never (default: never, but 60s for"
                    + " http).")
    private Duration idleTimeout;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description =
                    "Limit of open connections; one more is reset at once and counted (default: the process's limit of"
                            + " descriptors but for 256).")
    private Integer connectionsMax;

    @Option(
            names = "--drain-timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long requests under way may take after SIGTERM or SIGINT (default ${DEFAULT-VALUE}).")
    private Duration drainTimeout;

    @Mixin
    private BalancerOptions balancer;

    @Option(
            names = "--handover",
            paramLabel = "PATH",
            description =
                    "Takes the listening sockets of the server that was started with the same PATH, and has that one drain"
                            + " when this one accepts; then waits there for the next. PATH is a Unix socket in a directory"
                            + " that only this user may write (default: no handover).")
    private Path handover;

    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            description =
                    "Where GET /metrics answers in the text format of Prometheus, and GET /health with 200, or with 503"
                            + " while the server drains or is not served; port 0: any free one (default: nowhere).")
    private HostPort metrics;

    @Option(
            names = "--watchdog",
            paramLabel = "TIME",
            description = "Logs handlers that run for longer, with their stack, once per stack (default: none).")
    private Duration watchdog;

    @Mixin
    private LiveOptions live;

    @Mixin
    private NamedSettings settings;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    StreamServer.Builder configure(Duration idleTimeoutDefault) {
        balancer.check();
        ServeSettings details = details();
        return common(StreamServer.builder())
                .accept(accept)
                .connectionsMax(connectionsMax())
                .connectionsPerPeerMax(details.perPeer())
                .acceptRate(details.rate())
                .timeouts(settings.of(
                        NamedSettings.TIMEOUT,
                        StreamTimeouts.DEFAULT.withIdle(idleTimeout == null ? idleTimeoutDefault : idleTimeout)))
                .drainGrace(details.drainGrace());
    }

    void refuse(String service, List<String> flags, List<String> groups) {
        ParseResult given = command.commandLine().getParseResult();
        for (String flag : flags) {
            if (given.hasMatchedOption(flag)) {
                throw new IllegalArgumentException(flag + " is not for " + service + ": leave it out");
            }
        }
        settings.check(service, groups);
    }

    StreamReactor.Builder reactor() {
        return common(StreamReactor.builder());
    }

    private <B extends ReactorBuilder<B>> B common(B builder) {
        live.check();
        builder.backend(backend())
                .shards(shards)
                .sharedThreads(sharedThreads())
                .promotion(promotion())
                .order(order)
                .waiting(wait)
                .deactivation(deactivation)
                .drainTimeout(drainTimeout)
                .latencyMeasured(live.latencyMeasured())
                .jmx(live.jmx())
                .placement(placement());
        if (threadsPerShard != null) {
            builder.threadsPerShard(threadsPerShard);
        }
        return watchdog == null ? builder : builder.watchdog(watchdog);
    }

    private int connectionsMax() {
        if (connectionsMax == null) {
            return ListenOptions.UNLIMITED;
        }
        if (connectionsMax < 1) {
            throw new IllegalArgumentException("--max-connections must be at least 1, but is " + connectionsMax);
        }
        return connectionsMax;
    }

    /** Returns 0 if each shard has its own threads. */
    private int sharedThreads() {
        int shared = details().sharedThreads();
        if (shared != 0 && threadsPerShard != null) {
            throw new IllegalArgumentException(
                    "--set serve.sharedThreads and --threads-per-shard exclude each other: leave one out");
        }
        if (shared != 0 && shared < shards) {
            throw new IllegalArgumentException("--set serve.sharedThreads must be at least the number of shards, "
                    + shards + ", but is " + shared);
        }
        return shared;
    }

    private ServeSettings details() {
        return settings.of(NamedSettings.SERVE, ServeSettings.DEFAULT);
    }

    HandlerWork work() {
        return new HandlerWork(new SlowRequests(slowPermille, slowTime.toNanos()));
    }

    /** Returns a part of the line that reports that the server is ready. {@code of} is the configuration of a pool. */
    String pool(PoolConfig of) {
        String counts = shards
                + (shards == 1 ? " shard" : " shards")
                + (details().sharedThreads() != 0 ? " shared by " : " x ")
                + (of.grows() ? of.initialThreads() + " to " : "")
                + of.threads()
                + (of.threads() == 1 ? " thread" : " threads")
                + (of.grows() ? " as handlers block" : "");
        return counts
                + (of.threads() == 1 ? "" : ", " + promotion() + ", " + order)
                + ", "
                + wait
                + (details().policy() == null ? "" : ", " + details().policy());
    }

    String place() {
        return pinning.text();
    }

    /** {@code ofReactor} is 0 if the reactor has no limit. */
    String connections(int ofReactor) {
        if (connectionsMax != null && (ofReactor == 0 || connectionsMax <= ofReactor)) {
            return "at most " + connectionsMax + " connections (--max-connections)";
        }
        return ofReactor == 0
                ? "connections without a limit"
                : "at most " + ofReactor + " connections (as many as descriptors allow)";
    }

    int connectionsAsked(int ofReactor) {
        return connectionsMax == null ? ofReactor : connectionsMax;
    }

    HostPort metrics() {
        return metrics;
    }

    AcceptMode accept() {
        return accept;
    }

    Path handover() {
        return handover;
    }

    BalancerOptions balancer() {
        return balancer;
    }

    /** Longest time from a signal to the end of the process. */
    Duration endMost() {
        return balancer.drainDelay().plus(drainTimeout).plus(END_AFTER_DRAIN);
    }

    Duration drainTimeout() {
        return drainTimeout;
    }

    NamedSettings settings() {
        return settings;
    }

    LiveOptions live() {
        return live;
    }

    private Backend backend() {
        boolean ring = settings.has(NamedSettings.RING);
        boolean epoll = settings.has(NamedSettings.EPOLL);
        if (ring && !IoUringBackendProvider.NAME.equals(backend.name())) {
            throw new IllegalArgumentException("--set ring.* is for --backend iouring: leave it out, or choose that");
        }
        if (epoll && !EpollBackendProvider.NAME.equals(backend.name())) {
            throw new IllegalArgumentException("--set epoll.* is for --backend epoll: leave it out, or choose that");
        }
        if (epoll) {
            return Backend.of(new EpollBackendProvider(settings.of(NamedSettings.EPOLL, EpollOptions.DEFAULT)));
        }
        return ring
                ? Backend.of(new IoUringBackendProvider(settings.of(NamedSettings.RING, RingOptions.DEFAULT)))
                : backend;
    }

    private Promotion promotion() {
        if (maxGap == null) {
            return promotion;
        }
        if (promotion.equals(Promotion.deferred())) {
            return Promotion.deferred(maxGap);
        }
        throw new IllegalArgumentException("--max-gap is for --promotion deferred: leave it out, or choose that");
    }

    private ThreadPlacement placement() {
        SchedulingPolicy scheduling = details().policy();
        if (wait.equals(Waiting.busySpin()) && scheduling != null && scheduling.isRealTime()) {
            throw new IllegalArgumentException("--wait busy never blocks, and with the scheduling " + scheduling
                    + " nothing else would run on its CPUs: choose --wait block or spin");
        }
        Runnable schedule = CommandMachine.scheduling(scheduling);
        PrintWriter err = command.commandLine().getErr();
        int shared = sharedThreads(); // planned like the threads of one shard
        ThreadPlacement pinned = shared == 0
                ? pinning.place(shards, threadsPerShard == null ? 0 : threadsPerShard, details(), err)
                : pinning.place(1, shared, details(), err);
        return pinned.andThen((shard, thread) -> schedule.run());
    }

    /** Sets the action that is called when a strict placement is lost. It is called once, with a description. */
    void whenPlacementLost(Consumer<String> action) {
        pinning.whenLost(action);
    }
}
