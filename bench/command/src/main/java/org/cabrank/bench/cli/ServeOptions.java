package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.bench.handler.BusyWork;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.HandlerWork.SlowPath;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.text.HostPort;
import org.cabrank.epoll.EpollBackendProvider;
import org.cabrank.epoll.EpollOptions;
import org.cabrank.iouring.IoUringBackendProvider;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.AcceptRate;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.ThreadPlacement;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The flags that all servers share. */
final class ServeOptions {

    /** Number of threads for slow requests in a JVM without virtual threads. */
    private static final int SLOW_THREADS = 64;

    private static final int SLOW_QUEUE_MAX = 1_024;

    /** Time for handlers that outlast the drain (5 s by default), and for the process to end. */
    static final Duration END_AFTER_DRAIN = Duration.ofSeconds(10);

    /** The places that {@code --slow-mode} takes. */
    enum SlowMode {
        BLOCK,
        PROMOTE,
        OFFLOAD
    }

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
            names = "--shared-threads",
            paramLabel = "N",
            description = "Instead of --threads-per-shard: threads that serve all shards together, at least as many as"
                    + " there are shards (default: each shard has its own).")
    private Integer sharedThreads;

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
            description = "Follower that is promoted: ${COMPLETION-CANDIDATES} (default lifo).")
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
            names = "--reserve-cpus",
            paramLabel = "DIR",
            arity = "0..1",
            fallbackValue = "",
            converter = Converters.Reservations.class,
            description = "Keeps off cores that other services of this host have reserved in DIR (default"
                    + " /run/lock/cabrank), and reserves those of --placement or --cpus until the process ends.")
    private Converters.ReservationDirectory reserveIn;

    @Mixin
    private MachineRoots roots;

    @Option(
            names = "--scheduling",
            paramLabel = "POLICY",
            converter = Converters.Scheduling.class,
            description = "Scheduling of the pool threads: nice:-20 to nice:19, fifo:1 to fifo:99, rr:1 to"
                    + " rr:99, batch or idle (default: as this process).")
    private SchedulingPolicy scheduling;

    @Option(
            names = "--accept",
            paramLabel = "MODE",
            converter = Converters.AcceptModes.class,
            completionCandidates = Converters.AcceptModes.class,
            defaultValue = "exclusive",
            description = "Sharing of the port by the shards: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
    private AcceptMode accept;

    @Option(
            names = "--work",
            paramLabel = "TIME",
            defaultValue = "0us",
            description = "Computing that each request takes before its answer (default ${DEFAULT-VALUE}).")
    private Duration work;

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
            names = "--slow-mode",
            paramLabel = "block|promote|offload",
            defaultValue = "block",
            description =
                    "The thread that blocks: the pool's thread, the pool's thread after it has promoted a new leader, or a"
                            + " thread of an executor, virtual if the JVM has virtual threads (default ${DEFAULT-VALUE}).")
    private SlowMode slowMode;

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
            names = "--max-connections-per-peer",
            paramLabel = "N",
            description = "Limit of open connections from one address (default: no limit).")
    private Integer connectionsPerPeerMax;

    @Option(
            names = "--accept-rate",
            paramLabel = "N",
            description = "Connections accepted per second; more wait in the kernel's backlog (default: no limit).")
    private Integer acceptRate;

    @Option(
            names = "--drain-timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long requests under way may take after SIGTERM or SIGINT (default ${DEFAULT-VALUE}).")
    private Duration drainTimeout;

    @Option(
            names = "--drain-grace",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description =
                    "How long connections without a request stay open after SIGTERM or SIGINT, for a request that is"
                            + " on its way; part of --drain-timeout (default ${DEFAULT-VALUE}).")
    private Duration drainGrace;

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
            description =
                    "Logs handlers that run for longer, with their stack, once per stack (default: nobody looks).")
    private Duration watchdog;

    @Mixin
    private LiveOptions live;

    @Mixin
    private NamedSettings settings;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    StreamServer.Builder configure(Duration idleTimeoutDefault) {
        live.check();
        balancer.check();
        StreamServer.Builder server = StreamServer.builder()
                .backend(backend())
                .shards(shards)
                .sharedThreads(sharedThreads())
                .promotion(promotion())
                .order(order())
                .waiting(wait)
                .deactivation(deactivation)
                .accept(accept)
                .connectionsMax(atLeastOne(connectionsMax, "--max-connections"))
                .connectionsPerPeerMax(atLeastOne(connectionsPerPeerMax, "--max-connections-per-peer"))
                .acceptRate(acceptRate())
                .timeouts(settings.of(
                        NamedSettings.TIMEOUT,
                        StreamTimeouts.DEFAULT.withIdle(idleTimeout == null ? idleTimeoutDefault : idleTimeout)))
                .drainGrace(drainGrace)
                .drainTimeout(drainTimeout)
                .latencyMeasured(live.latencyMeasured())
                .jmx(live.jmx());
        if (threadsPerShard != null) {
            server.threadsPerShard(threadsPerShard);
        }
        if (watchdog != null) {
            server.watchdog(watchdog);
        }
        return server.placement(placement());
    }

    void refuse(String service, List<String> flags) {
        ParseResult given = command.commandLine().getParseResult();
        for (String flag : flags) {
            if (given.hasMatchedOption(flag)) {
                throw new IllegalArgumentException(flag + " is not for " + service + ": leave it out");
            }
        }
    }

    /**
     * Configures a reactor without listeners. Throws an IllegalArgumentException if the flags are wrong, or if one was given that is for
     * connections.
     *
     * @param service name of the service for the message
     * @param forConnections flags for connections
     */
    StreamReactor.Builder reactor(String service, List<String> forConnections) {
        refuse(service, forConnections);
        live.check();
        StreamReactor.Builder reactor = StreamReactor.builder()
                .backend(backend())
                .shards(shards)
                .sharedThreads(sharedThreads())
                .promotion(promotion())
                .order(order())
                .waiting(wait)
                .deactivation(deactivation)
                .drainTimeout(drainTimeout)
                .latencyMeasured(live.latencyMeasured())
                .jmx(live.jmx())
                .placement(placement());
        if (threadsPerShard != null) {
            reactor.threadsPerShard(threadsPerShard);
        }
        if (watchdog != null) {
            reactor.watchdog(watchdog);
        }
        return reactor;
    }

    private static int atLeastOne(Integer given, String flag) {
        if (given == null) {
            return ListenOptions.UNLIMITED;
        }
        if (given < 1) {
            throw new IllegalArgumentException(flag + " must be at least 1, but is " + given);
        }
        return given;
    }

    private AcceptRate acceptRate() {
        return acceptRate == null ? AcceptRate.UNLIMITED : AcceptRate.perSecond(inRange(acceptRate, "--accept-rate"));
    }

    private static int inRange(int given, String flag) {
        if (given < 1 || given > AcceptRate.PER_SECOND_MAX) {
            throw new IllegalArgumentException(flag + " must be from 1 to 1,000,000, but is " + given);
        }
        return given;
    }

    private int sharedThreads() {
        if (sharedThreads == null) {
            return 0;
        }
        if (threadsPerShard != null) {
            throw new IllegalArgumentException(
                    "--shared-threads and --threads-per-shard exclude each other: leave one out");
        }
        if (sharedThreads < shards) {
            throw new IllegalArgumentException(
                    "--shared-threads must be at least the number of shards, " + shards + ", but is " + sharedThreads);
        }
        return sharedThreads;
    }

    /**
     * Returns the simulated work, after calibration if it includes computing. Throws an IllegalArgumentException if the
     * flags are wrong.
     */
    HandlerWork work() {
        BusyWork busy = BusyWork.lasting(work.toNanos());
        SlowRequests requests = new SlowRequests(slowPermille, slowTime.toNanos());
        if (slowMode == SlowMode.BLOCK) {
            return new HandlerWork(busy, requests);
        }
        if (requests.permille() == 0) {
            throw new IllegalArgumentException("--slow-mode " + slowMode.name().toLowerCase(Locale.ROOT)
                    + " is for slow requests, but there are none: set --slow-permille");
        }
        if (slowMode == SlowMode.PROMOTE) {
            return new HandlerWork(busy, requests, SlowPath.promoting());
        }
        Executor elsewhere = OffloadExecutors.virtualThreadsElse("slow", SLOW_THREADS, SLOW_QUEUE_MAX);
        return new HandlerWork(
                busy,
                requests,
                SlowPath.offloadedTo(
                        pinning.settings().isPinned() ? CommandMachine.unpinnedTasks(elsewhere) : elsewhere));
    }

    /**
     * Describes the pools for the line that reports that the server is ready.
     *
     * @param of one of them
     */
    String pool(PoolConfig of) {
        String counts = shards
                + (shards == 1 ? " shard" : " shards")
                + (sharedThreads != null ? " shared by " : " x ")
                + (of.grows() ? of.initialThreads() + " to " : "")
                + of.threads()
                + (of.threads() == 1 ? " thread" : " threads")
                + (of.grows() ? " as handlers block" : "");
        return counts
                + (of.threads() == 1 ? "" : ", " + policy())
                + ", "
                + wait
                + (scheduling == null ? "" : ", " + scheduling);
    }

    /** Description of the placement, for the line that reports that the server is ready. */
    String place() {
        PlacementSettings settings = pinning.settings();
        return settings.isPinned() ? "placement " + settings.placement() : "not pinned (no --placement)";
    }

    /** Description of the limit of connections, for the line that reports that the server is ready. @param ofReactor 0: none */
    String connections(int ofReactor) {
        if (connectionsMax != null && (ofReactor == 0 || connectionsMax <= ofReactor)) {
            return "at most " + connectionsMax + " connections (--max-connections)";
        }
        return ofReactor == 0
                ? "connections without a limit"
                : "at most " + ofReactor + " connections (as many as descriptors allow)";
    }

    /** Returns the requested limit of connections, or that of the reactor. */
    int connectionsAsked(int ofReactor) {
        return connectionsMax == null ? ofReactor : connectionsMax;
    }

    private String policy() {
        return promotion() + ", " + order();
    }

    HostPort metrics() {
        return metrics;
    }

    AcceptMode accept() {
        return accept;
    }

    /** Returns the place of the handover to the next server; null: none. */
    Path handover() {
        return handover;
    }

    BalancerOptions balancer() {
        return balancer;
    }

    /** Returns the longest time from a signal to the end of the process. */
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
        settings.check();
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

    private PromotionOrder order() {
        return order == null ? PromotionOrder.lifo() : order;
    }

    private ThreadPlacement placement() {
        if (wait.equals(Waiting.busySpin()) && scheduling != null && scheduling.isRealTime()) {
            throw new IllegalArgumentException("--wait busy never blocks, and with --scheduling " + scheduling
                    + " nothing else would run on its CPUs: choose --wait block or spin");
        }
        Runnable schedule = CommandMachine.scheduling(scheduling);
        return pinned().andThen((shard, thread) -> schedule.run());
    }

    /** Sets the action for the loss of a strict placement while the server runs: called once, with a description. */
    void whenPlacementLost(Consumer<String> action) {
        pinning.whenLost(action);
    }

    /** Threads that all shards share are planned like those of one shard. Added threads run on the CPUs of their shard. */
    private ThreadPlacement pinned() {
        PrintWriter err = command.commandLine().getErr();
        return sharedThreads == null
                ? pinning.place(shards, threadsPerShard == null ? 0 : threadsPerShard, roots, reserveIn, err)
                : pinning.place(1, sharedThreads, roots, reserveIn, err);
    }
}
