package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.cabrank.bench.serve.EchoHandler;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.stream.Backend;
import org.cabrank.lf.stream.StreamServer;

/** A Cabrank pool with one shard. */
final class CabrankContender implements Contender {

    private final String name;
    private final String backend;
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
                settings -> new Pool(settings.threads(), Promotion.eager()));
    }

    static Contender deferred(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-deferred",
                backend,
                List.of("one shard, several threads", "deferred promotion"),
                settings -> new Pool(settings.threads(), Promotion.deferred(Duration.ofNanos(settings.maxGapNs()))));
    }

    /** The fair mode: each thread leads once before any leads twice. */
    static Contender fair(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-fair",
                backend,
                List.of("one shard, several threads", "eager promotion in FIFO order"),
                settings -> new Pool(settings.threads(), Promotion.eager(), PromotionOrder.fifo()));
    }

    /** All threads wait in the kernel, which chooses one. */
    static Contender kernelChosen(String backend) {
        return new CabrankContender(
                "cabrank-" + backend + "-kernel",
                backend,
                List.of("one shard, several threads", "no leader: all threads wait in the kernel at once"),
                settings -> new Pool(settings.threads(), Promotion.kernel()));
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
        StreamServer server = StreamServer.builder()
                .listen(ContenderSockets.anyLoopbackPort())
                .backlog(ContenderSockets.BACKLOG)
                .backend(Backend.named(backend))
                .threadsPerShard(wanted.threads())
                .promotion(wanted.promotion())
                .order(wanted.order())
                .handler(() -> handler)
                .start();
        return new Running(server, details(server, wanted));
    }

    private static String details(StreamServer server, Pool pool) {
        String policy = pool.threads() == 1 ? "" : ", " + pool.policy();
        return server.backendName() + " through " + kernelName() + ", 1 x " + pool.threads() + " threads" + policy;
    }

    private static String kernelName() {
        try {
            return Kernels.system().name();
        } catch (KernelUnavailableException cannotBe) {
            throw new IllegalStateException("a server runs without a kernel", cannotBe);
        }
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
