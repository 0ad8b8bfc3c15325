package org.cabrank.bench.levels;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.cabrank.affinity.Scheduler;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.bench.serve.BusyWork;
import org.cabrank.bench.serve.EchoHandler;
import org.cabrank.bench.serve.HandlerWork;
import org.cabrank.bench.serve.SlowRequests;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.ThreadPlacement;

/**
 * The process under test: an echo service with an urgent and a bulk port. Says both ports, and serves until its standard
 * input ends, which it also does when the bench is killed. Nothing of it is left then, real-time threads included.
 */
public final class LevelsServer {

    static final String LISTENING = "listening ";
    private static final int BACKLOG = 1_024;

    private final int threads;
    private final EchoHandler handler;

    private LevelsServer(int threads, EchoHandler handler) {
        this.threads = threads;
        this.handler = handler;
    }

    static List<String> arguments(Arrangement arrangement, LevelsSettings settings) {
        return List.of(arrangement.name(), Integer.toString(settings.threads()), Long.toString(settings.workNs()));
    }

    public static void main(String... arguments) throws IOException {
        Arrangement arrangement = Arrangement.valueOf(arguments[0]);
        BusyWork work = BusyWork.lasting(Long.parseLong(arguments[2]));
        LevelsServer server = new LevelsServer(
                Integer.parseInt(arguments[1]), new EchoHandler(new HandlerWork(work, SlowRequests.NONE)));
        try {
            System.out.println(LISTENING + server.start(arrangement));
        } catch (IOException | IllegalStateException refused) {
            System.err.println(arrangement.label() + ": " + refused.getMessage());
            Runtime.getRuntime().halt(1);
        }
        while (System.in.read() >= 0) {
            // nothing is said to it
        }
        Runtime.getRuntime().halt(0);
    }

    /** The ports, urgent and bulk. */
    private String start(Arrangement arrangement) throws IOException {
        if (arrangement == Arrangement.ONE_POOL) {
            StreamReactor both = pool("both", threads, null);
            return port(both) + " " + port(both);
        }
        StreamReactor urgent = pool("urgent", threads / 2, arrangement.urgent());
        StreamReactor bulk = pool("bulk", threads / 2, arrangement.bulk());
        return port(urgent) + " " + port(bulk);
    }

    private static StreamReactor pool(String name, int threads, SchedulingPolicy policy) throws IOException {
        return StreamReactor.builder()
                .name(name)
                .threadsPerShard(threads)
                .placement(policy == null ? ThreadPlacement.NONE : scheduled(policy))
                .start();
    }

    private static ThreadPlacement scheduled(SchedulingPolicy policy) throws IOException {
        Scheduler scheduler;
        try {
            scheduler = new Scheduler(Kernels.system());
        } catch (KernelUnavailableException none) {
            throw new IOException(none.getMessage(), none);
        }
        return (shard, thread) -> {
            try {
                scheduler.apply(policy);
            } catch (IOException refused) {
                throw new CompletionException(refused.getMessage(), refused);
            }
        };
    }

    private int port(StreamReactor reactor) throws IOException {
        SocketAddress address = reactor.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                BACKLOG,
                AcceptMode.EXCLUSIVE,
                () -> handler);
        return ((InetSocketAddress) address).getPort();
    }
}
