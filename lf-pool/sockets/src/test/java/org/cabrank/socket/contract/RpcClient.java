package org.cabrank.socket.contract;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.bound.BoundCounters;
import org.cabrank.lf.bound.BoundLimits;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.NumberedText;
import org.cabrank.socket.BoundSocketChannel;
import org.cabrank.socket.DescriptorSet;

/**
 * An example: the client of a remote procedure call that any number of threads use over one connection. It has no thread of
 * its own; of those that wait for a reply, one reads for all.
 */
final class RpcClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofNanos(Await.PATIENCE_NS);

    private final DescriptorSet set;
    private final LeaderFollowersPool pool;
    private final BoundThreadPool<Integer, String> bound;
    private final AtomicInteger ids = new AtomicInteger();

    /** @param set the client's own from now on, closed with it; closed already when there is no connection */
    RpcClient(DescriptorSet set, SocketAddress server, PoolConfig config) throws IOException {
        this.set = set;
        pool = new LeaderFollowersPool(set, config);
        BoundSocketChannel channel;
        try {
            channel = BoundSocketChannel.connect(set, server, CONNECT_TIMEOUT);
        } catch (IOException refused) {
            pool.close();
            set.close();
            throw refused;
        }
        bound = BoundThreadPool.open(pool, channel, new NumberedText(), BoundLimits.DEFAULT);
    }

    /** Any thread: sends the request and waits for its reply. */
    String call(String request, Duration timeout) throws IOException, ExecutionException, TimeoutException {
        int id = ids.incrementAndGet();
        return bound.call(id, NumberedText.message(id, request), timeout);
    }

    LeaderFollowersPool pool() {
        return pool;
    }

    BoundCounters counters() {
        return bound.counters();
    }

    @Override
    public void close() {
        bound.close();
        pool.close();
        set.close();
    }
}
