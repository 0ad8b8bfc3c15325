package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.bench.serve.BusyWork;
import org.cabrank.bench.serve.HandlerWork;
import org.cabrank.bench.serve.HandlerWork.SlowPath;
import org.cabrank.bench.serve.SlowRequests;
import org.cabrank.iouring.IoUringBackendProvider;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Waiting;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.ThreadPlacement;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The flags that all servers share. */
final class ServeOptions {

    /** Number of threads for slow requests in a JVM without virtual threads. */
    private static final int SLOW_THREADS = 64;

    private static final int SLOW_QUEUE_MAX = 1_024;

    private static final Duration SPIN = Duration.ofNanos(50_000);

    /** The backends that {@code --backend} takes. */
    enum BackendName {
        AUTO,
        EPOLL,
        IOURING
    }

    /** The places that {@code --slow-mode} takes. */
    enum SlowMode {
        BLOCK,
        PROMOTE,
        OFFLOAD
    }

    /** The policies that {@code --promotion} takes. */
    enum PromotionName {
        EAGER,
        DEFERRED,
        KERNEL
    }

    /** The orders that {@code --order} takes. */
    enum OrderName {
        LIFO,
        FIFO,
        ANY
    }

    /** The ways of waiting that {@code --wait} takes. */
    enum WaitName {
        BLOCK,
        SPIN,
        BUSY
    }

    @Option(
            names = "--backend",
            paramLabel = "auto|epoll|iouring",
            defaultValue = "auto",
            description = "How the kernel is watched (default auto: the best that works here).")
    private BackendName backend;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "1",
            description = "Handle sets, each with threads of its own (default ${DEFAULT-VALUE}).")
    private int shards;

    @Option(
            names = "--threads-per-shard",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads that take turns leading each (default ${DEFAULT-VALUE}).")
    private int threadsPerShard;

    @Option(
            names = "--shared-threads",
            paramLabel = "N",
            description = "Instead of --threads-per-shard: threads that serve all shards together, at least as many as"
                    + " there are shards (default: each shard has its own).")
    private Integer sharedThreads;

    @Option(
            names = "--promotion",
            paramLabel = "eager|deferred|kernel",
            defaultValue = "deferred",
            description = "When a follower is promoted: before each event is processed, or only when that takes longer"
                    + " than --max-gap; or never, all threads wait in the kernel, which chooses one (default"
                    + " ${DEFAULT-VALUE}).")
    private PromotionName promotion;

    @Option(
            names = "--order",
            paramLabel = "lifo|fifo|any",
            description = "Which follower is promoted: the one that came last, the one that has waited longest, or"
                    + " whichever costs least (default lifo).")
    private OrderName order;

    @Option(
            names = "--max-gap",
            paramLabel = "TIME",
            description = "For deferred promotion: how long the handles may go unwatched (default 2ms).")
    private Duration maxGap;

    @Option(
            names = "--deactivation",
            paramLabel = "claim|oneshot",
            defaultValue = "claim",
            description = "How a handle in processing is kept from other threads (default ${DEFAULT-VALUE}).")
    private Deactivation deactivation;

    @Option(
            names = "--wait",
            paramLabel = "block|spin|busy",
            defaultValue = "block",
            description = "How threads wait: in the kernel, spinning 50us before that, or always spinning (default"
                    + " ${DEFAULT-VALUE}).")
    private WaitName wait;

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
            description = "Before which others the pool threads run: nice:-20 to nice:19, fifo:1 to fifo:99, rr:1 to"
                    + " rr:99, batch or idle (default: as this process).")
    private SchedulingPolicy scheduling;

    @Option(
            names = "--accept",
            paramLabel = "MODE",
            converter = Converters.AcceptModes.class,
            defaultValue = "exclusive",
            description =
                    "How shards share the port: exclusive (one queue), reuseport (one per shard), reuseport-cpu (and"
                            + " the kernel chooses by the CPU that receives), dispatch (handed to the least loaded shard),"
                            + " dispatch-hash (by the peer's address) or dispatch-cpu (by the CPU that has received it) (default"
                            + " ${DEFAULT-VALUE}).")
    private AcceptMode accept;

    @Mixin
    private WorkOption work;

    @Mixin
    private SlowOptions slow;

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
            description = "Closes connections that are idle for so long; 0 for never (default: never for echo, 60s for"
                    + " http).")
    private Duration idleTimeout;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description =
                    "Connections that may stand at a time; one more is reset at once and counted (default: as many"
                            + " as the process may open).")
    private Integer connectionsMax;

    @Option(
            names = "--max-connections-per-peer",
            paramLabel = "N",
            description = "Likewise from one address (default: no limit).")
    private Integer connectionsPerPeerMax;

    @Option(
            names = "--drain-timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long requests under way may take after SIGTERM or SIGINT (default ${DEFAULT-VALUE}).")
    private Duration drainTimeout;

    @Option(
            names = "--watchdog",
            paramLabel = "TIME",
            description =
                    "Logs handlers that run for longer, with their stack, once per stack (default: nobody looks).")
    private Duration watchdog;

    @Mixin
    private CpuLatencyOptions cpuLatency;

    @Mixin
    private LiveOptions live;

    @Mixin
    private RingOptionsMixin ring;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Configures everything except address and handler. Throws an IllegalArgumentException if the flags are wrong. */
    StreamServer.Builder configure(Duration idleTimeoutDefault) {
        live.check();
        StreamServer.Builder server = StreamServer.builder()
                .backend(backend())
                .shards(shards)
                .threadsPerShard(threadsPerShard)
                .sharedThreads(sharedThreads())
                .promotion(promotion())
                .order(order())
                .waiting(waiting())
                .deactivation(deactivation)
                .accept(accept)
                .connectionsMax(atLeastOne(connectionsMax, "--max-connections"))
                .connectionsPerPeerMax(atLeastOne(connectionsPerPeerMax, "--max-connections-per-peer"))
                .idleTimeout(idleTimeout == null ? idleTimeoutDefault : idleTimeout)
                .drainTimeout(drainTimeout)
                .watchdog(watchdog)
                .latencyMeasured(live.latencyMeasured())
                .jmx(live.jmx());
        return server.placement(placement());
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

    private int sharedThreads() {
        if (sharedThreads == null) {
            return 0;
        }
        if (threadsPerShard != 1) {
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
        BusyWork busy = BusyWork.lasting(work.ns(Duration.ZERO));
        SlowRequests requests = slow.slow();
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
                SlowPath.offloadedTo(pinning.settings().isPinned() ? Machine.unpinnedTasks(elsewhere) : elsewhere));
    }

    /** Description of the pool, for the line that reports that the server is ready. */
    String pool() {
        int threads = sharedThreads != null ? sharedThreads : threadsPerShard;
        String counts = shards
                + (shards == 1 ? " shard" : " shards")
                + (sharedThreads != null ? " shared by " : " x ")
                + threads
                + (threads == 1 ? " thread" : " threads");
        return counts
                + (threads == 1 ? "" : ", " + policy())
                + ", "
                + waiting()
                + (scheduling == null ? "" : ", " + scheduling);
    }

    private String policy() {
        return promotion == PromotionName.KERNEL ? promotion().toString() : promotion() + ", " + order();
    }

    CpuLatencyOptions cpuLatency() {
        return cpuLatency;
    }

    LiveOptions live() {
        return live;
    }

    RingOptionsMixin ring() {
        return ring;
    }

    private Backend backend() {
        String ringFlag = ring.firstGiven();
        if (ringFlag != null && backend != BackendName.IOURING) {
            throw new IllegalArgumentException(ringFlag + " is for --backend iouring: leave it out, or choose that");
        }
        ring.checkShards(shards);
        return switch (backend) {
            case AUTO -> Backend.auto();
            case EPOLL -> Backend.named("epoll");
            case IOURING ->
                ringFlag == null ? Backend.named("iouring") : Backend.of(new IoUringBackendProvider(ring.options()));
        };
    }

    private Promotion promotion() {
        if (promotion != PromotionName.DEFERRED && maxGap != null) {
            throw new IllegalArgumentException("--max-gap is for --promotion deferred: leave it out, or choose that");
        }
        return switch (promotion) {
            case EAGER -> Promotion.eager();
            case KERNEL -> Promotion.kernel();
            case DEFERRED -> maxGap == null ? Promotion.deferred() : Promotion.deferred(maxGap);
        };
    }

    private PromotionOrder order() {
        if (order == null) {
            return PromotionOrder.lifo();
        }
        if (promotion == PromotionName.KERNEL) {
            throw new IllegalArgumentException(
                    "--order is for --promotion eager or deferred: with kernel nobody is promoted");
        }
        return switch (order) {
            case LIFO -> PromotionOrder.lifo();
            case FIFO -> PromotionOrder.fifo();
            case ANY -> PromotionOrder.any();
        };
    }

    private Waiting waiting() {
        return switch (wait) {
            case BLOCK -> Waiting.block();
            case SPIN -> Waiting.spinThenBlock(SPIN);
            case BUSY -> Waiting.busySpin();
        };
    }

    private ThreadPlacement placement() {
        if (wait == WaitName.BUSY && scheduling != null && scheduling.isRealTime()) {
            throw new IllegalArgumentException("--wait busy never blocks, and with --scheduling " + scheduling
                    + " nothing else would run on its CPUs: choose --wait block or spin");
        }
        Runnable schedule = Machine.scheduling(scheduling);
        return pinned().andThen((shard, thread) -> schedule.run());
    }

    /** Sets the action for the loss of a strict placement while the server runs: called once, with a description. */
    void whenPlacementLost(Consumer<String> action) {
        pinning.whenLost(action);
    }

    /** Threads that all shards share are planned for as those of one. */
    private ThreadPlacement pinned() {
        PrintWriter err = command.commandLine().getErr();
        return sharedThreads == null
                ? pinning.place(shards, threadsPerShard, roots, reserveIn, err)
                : pinning.place(1, sharedThreads, roots, reserveIn, err);
    }
}
