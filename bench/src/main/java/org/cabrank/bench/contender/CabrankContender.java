package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.cabrank.bench.serve.EchoHandler;
import org.cabrank.iouring.IoUringBackendProvider;
import org.cabrank.iouring.RingOptions;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.stream.Backend;
import org.cabrank.lf.stream.BackendUnavailableException;
import org.cabrank.lf.stream.StreamServer;

/** A Cabrank pool with one shard. */
final class CabrankContender implements Contender {

    private static final String IOURING = "iouring";

    /** Of a pool on a shared ring, where the user names no other number: each more makes the ring dearer. */
    private static final int SHARED_RING_THREADS = 2;

    private final String name;
    private final Backend backend;
    private final List<String> tuning;
    private final Function<ServerSettings, Pool> pool;

    private record Pool(int threads, Promotion promotion, PromotionOrder order) {

        /** LIFO. */
        Pool(int threads, Promotion promotion) {
            this(threads, promotion, PromotionOrder.lifo());
        }

        String policy() {
            return promotion instanceof Promotion.Kernel ? promotion.toString() : promotion + ", " + order;
        }
    }

    private CabrankContender(String name, String backend, List<String> tuning, Function<ServerSettings, Pool> pool) {
        this(name, Backend.named(backend), tuning, pool);
    }

    private CabrankContender(String name, Backend backend, List<String> tuning, Function<ServerSettings, Pool> pool) {
        this.name = name;
        this.backend = backend;
        this.tuning = tuning;
        this.pool = pool;
    }

    /** One thread: there is nobody to promote. */
    static Contender single(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-1",
                backend,
                List.of("one shard, one thread"),
                settings -> new Pool(1, Promotion.deferred()));
    }

    static Contender eager(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-eager",
                backend,
                List.of("one shard, several threads", "eager promotion"),
                settings -> new Pool(settings.threadsElse(ServerSettings.DEFAULT_THREADS), Promotion.eager()));
    }

    static Contender deferred(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-deferred",
                backend,
                List.of("one shard, several threads", "deferred promotion"),
                settings -> new Pool(
                        settings.threadsElse(ServerSettings.DEFAULT_THREADS),
                        Promotion.deferred(Duration.ofNanos(settings.maxGapNs()))));
    }

    /** The fair mode: each thread leads once before any leads twice. */
    static Contender fair(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-fair",
                backend,
                List.of("one shard, several threads", "eager promotion in FIFO order"),
                settings -> new Pool(
                        settings.threadsElse(ServerSettings.DEFAULT_THREADS),
                        Promotion.eager(),
                        PromotionOrder.fifo()));
    }

    /** All threads wait in the kernel, which chooses one. */
    static Contender kernelChosen(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-kernel",
                backend,
                List.of("one shard, several threads", "no leader: all threads wait in the kernel at once"),
                settings -> new Pool(settings.threadsElse(ServerSettings.DEFAULT_THREADS), Promotion.kernel()));
    }

    /** One thread with a ring of its own, in which the kernel trusts that it alone submits. */
    static Contender ownerRing() {
        return new CabrankContender(
                "cabrank-iouring-owner",
                IOURING,
                List.of("one shard, one thread", "owner ring"),
                settings -> new Pool(1, Promotion.deferred()));
    }

    /** The same with one option more: {@code name} ends in its name, and {@code tuning} says what it does. */
    static Contender ownerRing(String name, String tuning, RingOptions options) {
        return new CabrankContender(
                "cabrank-iouring-" + name,
                Backend.of(new IoUringBackendProvider(options)),
                List.of("one shard, one thread", "owner ring", tuning),
                settings -> new Pool(1, Promotion.deferred()));
    }

    /** Several threads that take turns with one ring. */
    static Contender sharedRing() {
        return sharedRing(
                "cabrank-iouring-shared",
                Backend.named(IOURING),
                List.of("one shard, several threads", "shared ring", "deferred promotion"));
    }

    /** The same, with interrupts. */
    static Contender promptRing() {
        return sharedRing(
                "cabrank-iouring-prompt",
                Backend.of(new IoUringBackendProvider(RingOptions.DEFAULT.withPrompt(true))),
                List.of(
                        "one shard, several threads",
                        "shared ring",
                        "deferred promotion",
                        "completions interrupt busy threads"));
    }

    private static Contender sharedRing(String name, Backend backend, List<String> tuning) {
        return new CabrankContender(
                name,
                backend,
                tuning,
                settings -> new Pool(
                        settings.threadsElse(SHARED_RING_THREADS),
                        Promotion.deferred(Duration.ofNanos(settings.maxGapNs()))));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> tuning() {
        return tuning;
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        Pool wanted = pool.apply(settings);
        EchoHandler handler = new EchoHandler(settings.work());
        try {
            StreamServer server = StreamServer.builder()
                    .listen(ContenderSockets.anyLoopbackPort())
                    .backlog(ContenderSockets.BACKLOG)
                    .backend(backend)
                    .threadsPerShard(wanted.threads())
                    .promotion(wanted.promotion())
                    .order(wanted.order())
                    .handler(() -> handler)
                    .start();
            return new Running(server, details(server, wanted));
        } catch (BackendUnavailableException notHere) {
            throw new ContenderUnavailableException(notHere.getMessage());
        }
    }

    private static String details(StreamServer server, Pool pool) {
        String threads = pool.threads() == 1 ? "1 thread" : pool.threads() + " threads, " + pool.policy();
        return server.reactor().backendDescription() + ", 1 shard x " + threads;
    }

    private record Running(StreamServer server, String details) implements RunningServer {

        @Override
        public InetSocketAddress address() {
            return (InetSocketAddress) server.localAddress();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
