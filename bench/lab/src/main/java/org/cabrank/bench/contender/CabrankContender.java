package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.bench.handler.EchoHandler;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.http.HelloHandler;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.http.Http;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Waiting;
import org.cabrank.pinning.MachineSnapshot;
import org.cabrank.pinning.PlacementRefusedException;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.pinning.PlannedPlacement;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.ThreadPlacement;
import org.cabrank.tls.EngineFactory;
import org.cabrank.tls.Tls;

final class CabrankContender implements Contender {

    private static final String IOURING = "iouring";

    /** Equal to the number of handler threads of {@link NettyGroupContender}. */
    private static final int BLOCKING_THREADS = 16;

    /** Idle connections are never closed, because no other contender closes them. */
    private static final HttpTimeouts TIMEOUTS = HttpTimeouts.DEFAULT.withIdle(StreamTimeouts.NEVER);

    private final String name;
    private final Backend backend;
    private final List<String> tuning;
    private final Function<ServerSettings, Pool> pool;

    /** True if the contender uses tcnative's TLS engine. It then serves only protocols over TLS. */
    private final boolean openSsl;

    /** Null if the contender serves no datagrams. */
    private final CabrankDatagrams.Reactor datagrams;

    /** @param threads number of threads of each shard. If 0, each shard chooses its number. */
    private record Pool(int shards, int threads, Promotion promotion, PromotionOrder order, Waiting waiting) {

        Pool(int shards, int threads, Promotion promotion, PromotionOrder order) {
            this(shards, threads, promotion, order, Waiting.block());
        }

        Pool(int threads, Promotion promotion) {
            this(1, threads, promotion, PromotionOrder.lifo());
        }

        static Pool single(Waiting waiting) {
            return new Pool(1, 1, Promotion.deferred(), PromotionOrder.lifo(), waiting);
        }

        PoolConfig datagrams() {
            return (threads == 0 ? PoolConfig.growing("datagrams") : PoolConfig.of("datagrams", threads))
                    .withPromotion(promotion)
                    .withOrder(order)
                    .withWaiting(waiting);
        }

        String policy() {
            return promotion + ", " + order;
        }
    }

    private CabrankContender(String name, String backend, List<String> tuning, Function<ServerSettings, Pool> pool) {
        this(
                name,
                Backend.named(backend),
                Stream.concat(
                                tuning.stream(),
                                Stream.of(
                                        CabrankDatagrams.TUNING,
                                        ContenderSockets.DATAGRAM_TUNING,
                                        ContenderSockets.HTTP_TUNING,
                                        ContenderSockets.TUNING))
                        .toList(),
                pool,
                false,
                backend.equals(IOURING) ? CabrankDatagrams.Reactor.IO_URING : CabrankDatagrams.Reactor.EPOLL);
    }

    private CabrankContender(String name, Backend backend, List<String> tuning, Function<ServerSettings, Pool> pool) {
        this(
                name,
                backend,
                Stream.concat(tuning.stream(), Stream.of(ContenderSockets.HTTP_TUNING, ContenderSockets.TUNING))
                        .toList(),
                pool,
                false,
                null);
    }

    private CabrankContender(
            String name,
            Backend backend,
            List<String> tuning,
            Function<ServerSettings, Pool> pool,
            boolean openSsl,
            CabrankDatagrams.Reactor datagrams) {
        this.name = name;
        this.backend = backend;
        this.tuning = tuning;
        this.pool = pool;
        this.openSsl = openSsl;
        this.datagrams = datagrams;
    }

    Contender withOpenSsl() {
        return new CabrankContender(
                name + Contenders.OPENSSL,
                backend,
                Stream.concat(tuning.stream(), Stream.of(NettyOpenSsl.TUNING)).toList(),
                pool,
                true,
                null);
    }

    static CabrankContender single(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-1",
                backend,
                List.of("one shard, one thread"),
                settings -> new Pool(1, Promotion.deferred()));
    }

    static Contender spinning(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-spin",
                backend,
                List.of("one shard, one thread", "never waits in the kernel: takes a whole CPU"),
                settings -> Pool.single(Waiting.busySpin()));
    }

    static Contender eager(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-eager",
                backend,
                List.of("one shard, several threads", "eager promotion"),
                settings -> new Pool(settings.threadsElse(ServerSettings.DEFAULT_THREADS), Promotion.eager()));
    }

    static CabrankContender deferred(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-deferred",
                backend,
                List.of("one shard, as many threads as needed", "deferred promotion"),
                settings -> new Pool(settings.threads(), Promotion.deferred()));
    }

    static Contender deferredForBlocking(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-deferred-" + BLOCKING_THREADS,
                backend,
                List.of("one shard, " + BLOCKING_THREADS + " threads", "deferred promotion"),
                settings -> new Pool(BLOCKING_THREADS, Promotion.deferred()));
    }

    static Contender sharded(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-shards",
                Backend.named(backend),
                List.of("several shards", "deferred promotion where a shard has several threads"),
                settings -> new Pool(
                        settings.shards().countElseCpus(),
                        settings.threads(),
                        Promotion.deferred(),
                        PromotionOrder.lifo()));
    }

    static CabrankContender ring() {
        return new CabrankContender(
                "cabrank-iouring",
                IOURING,
                List.of("one shard, one thread"),
                settings -> new Pool(1, Promotion.deferred()));
    }

    /** While a handler blocks the ring's owner, other threads use the ring. A datagram ring has one thread, so datagrams are not served. */
    static Contender relieved() {
        return new CabrankContender(
                "cabrank-iouring-deferred",
                Backend.named(IOURING),
                List.of("one shard, as many threads as needed", "deferred promotion"),
                settings -> new Pool(settings.threads(), Promotion.deferred()));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ContenderKind kind() {
        return ContenderKind.CABRANK;
    }

    @Override
    public boolean serves(Protocol protocol) {
        return protocol.connects() ? protocol.overTls() || !openSsl : datagrams != null;
    }

    @Override
    public List<String> tuning() {
        return tuning;
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return openSsl ? NettyJvmFlags.of(feature) : List.of();
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        Pool wanted = pool.apply(settings);
        if (!settings.protocol().connects()) {
            return CabrankDatagrams.start(
                    datagrams, wanted.datagrams(), settings.work(), settings.protocol() == Protocol.DATAGRAM_SEGMENTS);
        }
        Placed placed = place(settings.placement(), wanted);
        try {
            StreamServer.Builder builder = StreamServer.builder()
                    .listen(ContenderSockets.anyPort())
                    .backlog(ContenderSockets.BACKLOG)
                    .backend(backend)
                    .shards(wanted.shards())
                    .promotion(wanted.promotion())
                    .order(wanted.order())
                    .waiting(wanted.waiting())
                    .placement(placed.threads())
                    .accept(settings.shards().accept())
                    .handler(handlers(settings));
            if (wanted.threads() > 0) {
                builder.threadsPerShard(wanted.threads());
            }
            StreamServer server = builder.start();
            return new Running(server, details(server, wanted, settings.shards().accept()) + placed.details());
        } catch (BackendUnavailableException notHere) {
            throw new ContenderUnavailableException(notHere.getMessage());
        } catch (IllegalStateException
                | PlacementRefusedException notStarted) { // thrown in a pool's thread or while making a shard
            throw unavailable(notStarted);
        }
    }

    private Supplier<ConnectionHandler> handlers(ServerSettings settings) throws IOException {
        Supplier<ConnectionHandler> handlers = handlers(settings.protocol(), settings.work());
        if (!settings.protocol().overTls()) {
            return handlers;
        }
        EngineFactory engines = openSsl
                ? NettyOpenSsl.server(settings.tls())
                : EngineFactory.of(settings.tls().serverContext());
        return Tls.server(engines)
                .protocols(LabTls.VERSION)
                .cipherSuites(LabTls.CIPHER_SUITE)
                .build()
                .handlers(handlers);
    }

    private static Supplier<ConnectionHandler> handlers(Protocol protocol, HandlerWork work) {
        if (protocol.isHttp()) {
            return Http.server(new HelloHandler(work, true)).withTimeouts(TIMEOUTS);
        }
        EchoHandler echo = new EchoHandler(work);
        return () -> echo;
    }

    static ContenderUnavailableException unavailable(RuntimeException notStarted) {
        return PlacementRefusedException.within(notStarted)
                .map(refused -> new ContenderUnavailableException(refused.getMessage()))
                .orElseThrow(() -> notStarted);
    }

    private record Placed(ThreadPlacement threads, String details) {}

    private static Placed place(PlacementSettings settings, Pool wanted) throws IOException {
        if (settings.equals(PlacementSettings.NONE)) {
            return new Placed(ThreadPlacement.NONE, ""); // a plan would delay the first answer, which is measured
        }
        try {
            Kernel kernel = Kernels.system();
            PlannedPlacement planned = PlannedPlacement.of(
                    settings,
                    kernel,
                    MachineSnapshot.ofThisMachine(kernel),
                    wanted.shards(),
                    Math.max(1, wanted.threads()));
            PlacementPlan plan = planned.plan();
            String warnings = plan.warnings().stream()
                    .map(warning -> " (" + warning + ")")
                    .collect(Collectors.joining());
            return new Placed(planned, ", placement " + plan.placement() + " on CPU " + plan.cpus() + warnings);
        } catch (PlacementException | KernelUnavailableException notHere) {
            throw new ContenderUnavailableException(notHere.getMessage());
        }
    }

    private static String details(StreamServer server, Pool pool, AcceptMode accept) {
        PoolConfig served = server.reactor().pools().get(0).config();
        String threads = served.threads() == 1
                ? "1 thread"
                : (served.grows() ? served.initialThreads() + " to " : "") + served.threads() + " threads, "
                        + pool.policy();
        String shards = pool.shards() == 1
                ? "1 shard x "
                : pool.shards() + " shards (accept " + accept.name().toLowerCase(Locale.ROOT) + ") x ";
        String waiting = pool.waiting().equals(Waiting.block()) ? "" : ", wait " + pool.waiting();
        return server.reactor().backendDescription() + ", " + shards + threads + waiting;
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
