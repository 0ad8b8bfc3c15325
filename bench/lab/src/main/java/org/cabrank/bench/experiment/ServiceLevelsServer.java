package org.cabrank.bench.experiment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.cabrank.affinity.Scheduler;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.bench.handler.BusyWork;
import org.cabrank.bench.handler.EchoHandler;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.ThreadPlacement;

/** The server of {@link ServiceLevels}: an echo service with an urgent and a bulk port. */
public final class ServiceLevelsServer {

    private static final int BACKLOG = 1_024;

    private final int threads;
    private final EchoHandler handler;

    private ServiceLevelsServer(int threads, EchoHandler handler) {
        this.threads = threads;
        this.handler = handler;
    }

    static List<String> arguments(PoolPriorities pools, int threads, long workNs) {
        return List.of(pools.name(), Integer.toString(threads), Long.toString(workNs));
    }

    public static void main(String... arguments) throws IOException {
        PoolPriorities pools = PoolPriorities.valueOf(arguments[0]);
        BusyWork work = BusyWork.lasting(Long.parseLong(arguments[2]));
        ServiceLevelsServer server = new ServiceLevelsServer(
                Integer.parseInt(arguments[1]), new EchoHandler(new HandlerWork(work, SlowRequests.NONE)));
        ServedUntilInputEnds.run(pools.label(), () -> server.start(pools), () -> "");
    }

    /** Returns the ports, urgent and bulk. */
    private String start(PoolPriorities pools) throws IOException {
        if (pools == PoolPriorities.ONE_POOL) {
            StreamReactor both = pool("both", threads, null);
            return port(both) + " " + port(both);
        }
        StreamReactor urgent = pool("urgent", threads / 2, pools.urgent());
        StreamReactor bulk = pool("bulk", threads / 2, pools.bulk());
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
                        () -> handler)
                .address();
        return ((InetSocketAddress) address).getPort();
    }
}
