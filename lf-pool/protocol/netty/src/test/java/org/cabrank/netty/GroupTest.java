package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads, shards and the end of a group. */
class GroupTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    /** A pool that grows begins with two, and a guest is the third. */
    private static final int THREADS = 3;

    @Sharable
    private static final class Silent extends ChannelInboundHandlerAdapter {}

    private static CabrankEventLoopGroup.Builder builder(int shards) {
        return CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named("epoll")).shards(shards).threadsPerShard(2));
    }

    private static void end(CabrankEventLoopGroup group) {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threadsHaveTheNameAndTheDaemonFlag(boolean daemon) throws Exception {
        CabrankEventLoopGroup group =
                builder(1).name("pipelines").daemon(daemon).build();
        Thread holder = group.next().submit(Thread::currentThread).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        assertTrue(holder.getName().startsWith("pipelines-"), holder::getName);
        assertEquals(daemon, holder.isDaemon());
        end(group);
    }

    @Test
    void groupTakesTasksForItsQuietPeriod() {
        CabrankEventLoopGroup group = builder(1).build();
        long quietMs = 50;
        long startNs = System.nanoTime();
        group.shutdownGracefully(quietMs, PATIENCE_MS, TimeUnit.MILLISECONDS);
        assertTrue(group.isShuttingDown());
        EventLoop loop = group.next();
        try {
            assertTrue(loop.submit(() -> {}).awaitUninterruptibly(PATIENCE_MS));
        } catch (RejectedExecutionException late) {
            assertTrue(group.isShutdown());
        }
        assertTrue(group.terminationFuture().awaitUninterruptibly(PATIENCE_MS));
        assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(quietMs));
    }

    @Test
    void quietPeriodBeyondTheTimeoutIsRefused() {
        CabrankEventLoopGroup group = builder(1).build();
        assertThrows(IllegalArgumentException.class, () -> group.shutdownGracefully(2, 1, TimeUnit.SECONDS));
        assertFalse(group.isShuttingDown());
        end(group);
    }

    /** A strand stays in its shard, with all its channels. */
    @Test
    void channelsOfAStrandAreInItsShardAndStrandsTakeTurns() throws Exception {
        CabrankEventLoopGroup group = builder(2).build();
        Channel listening = new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(new Silent())
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        Strand one = (Strand) group.next();
        Strand other = (Strand) group.next();
        assertTrue(one.shard() != other.shard());
        for (Strand each : List.of(one, other)) {
            int before = each.set().handleCount();
            for (int i = 1; i <= 3; i++) {
                ChannelFuture connect = new Bootstrap()
                        .group(each)
                        .channel(CabrankSocketChannel.class)
                        .handler(new Silent())
                        .connect(listening.localAddress())
                        .syncUninterruptibly();
                ChannelEvents events = ((AbstractCabrankChannel) connect.channel()).events;
                assertEquals(each, events.strand());
                assertTrue(each.set().handles().stream().anyMatch(handle -> handle.handler() == events));
            }
            assertTrue(each.set().handleCount() >= before + 3);
        }
        end(group);
    }

    /** Threads that the group has not made, and a guest: they run handlers, without Netty's fast thread locals. */
    @Test
    void threadsOfTheServiceAndGuestsRunHandlers() throws Exception {
        StreamReactor reactor = StreamReactor.builder()
                .backend(Backend.named("epoll"))
                .shards(1)
                .start();
        CabrankEventLoopGroup group = CabrankEventLoopGroup.over(reactor);
        LeaderFollowersPool pool = reactor.pools().get(0);
        CompletableFuture<Boolean> joined = new CompletableFuture<>();
        Thread guest = new Thread(() -> {
            try {
                joined.complete(pool.join(Await.PATIENCE));
            } catch (IllegalStateException full) {
                joined.completeExceptionally(full);
            }
        });
        guest.start();
        Set<Thread> holders = ConcurrentHashMap.newKeySet();
        Await.until("the guest has run a handler", () -> {
            runTogether(group, holders);
            return holders.contains(guest) || joined.isCompletedExceptionally();
        });
        end(group);
        reactor.close();
        assertTrue(joined.get(PATIENCE_MS, TimeUnit.MILLISECONDS));
    }

    /** Runs a task in each thread, and notes the threads. */
    private static void runTogether(CabrankEventLoopGroup group, Set<Thread> holders) {
        CyclicBarrier together = new CyclicBarrier(THREADS);
        List<Future<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            tasks.add(group.next().submit(() -> {
                holders.add(Thread.currentThread());
                together.await(PATIENCE_MS, TimeUnit.MILLISECONDS);
                PooledByteBufAllocator.DEFAULT.buffer().release();
                return FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals();
            }));
        }
        for (Future<Boolean> each : tasks) {
            assertTrue(each.awaitUninterruptibly(PATIENCE_MS));
            assertFalse(each.getNow());
        }
    }
}
