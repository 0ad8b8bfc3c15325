package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutorGroup;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.StreamReactor;

/**
 * Event loops over the threads of a reactor. Each channel that registers with the group gets an event loop of its own, a <em>strand</em>,
 * which any thread of its shard may run. Strands go to the shards in turn. A channel that registers with the event loop of another channel
 * shares its strand, so the two never run at the same time. Any thread may use the group.
 *
 * <p>A handler may block. A blocked handler delays the channels, timers and tasks of its own strand. Other strands continue while the shard
 * has a free thread. Two handlers that wait for each other's channels wait indefinitely.
 *
 * <p>The group takes only channels of this package. Listening channels accept in their own strands. Accepted channels use the child group.
 */
public final class CabrankEventLoopGroup extends AbstractEventExecutorGroup implements EventLoopGroup {
    private static final int RUNNING = 0;
    private static final int SHUTTING_DOWN = 1;
    private static final int SHUT_DOWN = 2;

    private static final long LOOK_NS = 10_000_000;

    private final StreamReactor reactor;
    private final boolean ownsReactor;
    private final List<DescriptorSet> sets;
    private final AtomicInteger nextSet = new AtomicInteger();

    private final Set<Strand> occupied = ConcurrentHashMap.newKeySet();

    private final Promise<Object> termination = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
    private final AtomicInteger phase = new AtomicInteger(RUNNING);

    private volatile long latestTaskNs;

    private CabrankEventLoopGroup(StreamReactor reactor, boolean ownsReactor) {
        this.reactor = reactor;
        this.ownsReactor = ownsReactor;
        this.sets = DescriptorSet.of(reactor);
        if (sets.get(0).deactivation() == Deactivation.ONESHOT) { // room to write would be reported endlessly
            throw new IllegalArgumentException("Netty channels stay armed: build the reactor with deactivation CLAIM");
        }
    }

    /** Returns a builder of a group with a reactor of its own. The reactor ends with the group. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a group that shares the threads of an existing reactor with the reactor's own connections. The reactor must outlive the
     * group. Handlers run faster if the reactor's thread factory makes {@link io.netty.util.concurrent.FastThreadLocalThread}s, which keep
     * Netty's thread-local caches.
     *
     * @throws IllegalArgumentException if the reactor does not wait for descriptors, or disarms its handles ({@link Deactivation#ONESHOT})
     */
    public static CabrankEventLoopGroup over(StreamReactor reactor) {
        return new CabrankEventLoopGroup(Objects.requireNonNull(reactor, "reactor"), false);
    }

    public StreamReactor reactor() {
        return reactor;
    }

    /** Returns a new event loop for tasks and any number of channels. The shards take turns. */
    @Override
    public EventLoop next() {
        int shard = Math.floorMod(nextSet.getAndIncrement(), sets.size());
        return new Strand(this, sets.get(shard), reactor.shards().get(shard).context());
    }

    @Override
    public ChannelFuture register(Channel channel) {
        return next().register(channel);
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        return next().register(promise);
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        return next().register(promise);
    }

    /** Iterates over a copy of the event loops that have channels or scheduled tasks at this moment. */
    @Override
    public Iterator<EventExecutor> iterator() {
        return List.<EventExecutor>copyOf(occupied).iterator();
    }

    void noteOccupied(Strand strand, boolean now) {
        if (now) {
            occupied.add(strand);
        } else {
            occupied.remove(strand);
        }
    }

    /** Returns true if no thread serves the strands any more. A handler may still run on a former thread of the reactor. */
    boolean hasClosedItsReactor() {
        return ownsReactor && termination.isDone();
    }

    void noteTask() {
        if (phase.get() != RUNNING) {
            latestTaskNs = System.nanoTime();
        }
    }

    @Override
    public boolean isShuttingDown() {
        return phase.get() != RUNNING;
    }

    @Override
    public boolean isShutdown() {
        return phase.get() == SHUT_DOWN;
    }

    @Override
    public boolean isTerminated() {
        return termination.isDone();
    }

    @Override
    public Future<?> terminationFuture() {
        return termination;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return termination.await(timeout, unit);
    }

    /**
     * Closes all channels. Returns at once, but the group ends only when no channel is left and no task has arrived for the quiet period,
     * or after the timeout. From then on, it refuses tasks. A reactor of its own ends with it. Only the first call has an effect.
     *
     * @return the {@link #terminationFuture}
     */
    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        if (quietPeriod < 0 || timeout < quietPeriod) {
            throw new IllegalArgumentException(
                    "the quiet period must be from 0 to the timeout, " + timeout + ", but is " + quietPeriod);
        }
        long quietNs = unit.toNanos(quietPeriod);
        long timeoutNs = unit.toNanos(timeout);
        if (phase.compareAndSet(RUNNING, SHUTTING_DOWN)) {
            latestTaskNs = System.nanoTime();
            new Thread(() -> end(quietNs, timeoutNs), "cabrank-netty-end").start();
        }
        return termination;
    }

    @Override
    @Deprecated
    public void shutdown() {
        shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
    }

    private void end(long quietNs, long timeoutNs) {
        long startNs = System.nanoTime();
        try {
            for (Strand strand : occupied) {
                strand.add(strand::closeChannels);
            }
            while (!isOver(quietNs, timeoutNs, startNs)) {
                LockSupport.parkNanos(LOOK_NS);
            }
            phase.set(SHUT_DOWN);
            occupied.forEach(Strand::cancelTimers);
            if (ownsReactor) {
                reactor.close();
            }
        } finally {
            phase.set(SHUT_DOWN);
            termination.trySuccess(null);
            occupied.forEach(Strand::runWaitingTasks); // tasks that came after the threads had left
        }
    }

    private boolean isOver(long quietNs, long timeoutNs, long startNs) {
        long nowNs = System.nanoTime();
        return nowNs - startNs >= timeoutNs
                || nowNs - latestTaskNs >= quietNs && occupied.stream().noneMatch(Strand::hasChannels);
    }

    /** Builder of a group with a reactor of its own. */
    public static final class Builder {
        private final List<Consumer<? super StreamReactor.Builder>> settings = new ArrayList<>();
        private String name = "cabrank-netty";
        private boolean daemon;

        private Builder() {}

        /** Prefix of the thread names. A hyphen and a number from 0 follow the prefix. The default is cabrank-netty. */
        public Builder name(String prefix) {
            name = Objects.requireNonNull(prefix, "prefix");
            return this;
        }

        /** If true, the group has daemon threads, which do not keep the JVM alive. The default is false. */
        public Builder daemon(boolean wanted) {
            daemon = wanted;
            return this;
        }

        /**
         * Changes settings of the reactor, such as the backend, the shards, the threads and the limit of connections. Other limits apply
         * only to the reactor's own connections. If no thread factory is set, the group's factory is used.
         */
        public Builder reactor(Consumer<? super StreamReactor.Builder> changes) {
            settings.add(Objects.requireNonNull(changes, "changes"));
            return this;
        }

        /** @throws ChannelException if the backend is unavailable; its cause gives the reason */
        public CabrankEventLoopGroup build() {
            AtomicInteger number = new AtomicInteger();
            boolean background = daemon;
            String prefix = name;
            StreamReactor.Builder named = StreamReactor.builder()
                    .name(prefix)
                    .threadFactory(task -> new PoolThread(task, prefix + "-" + number.getAndIncrement(), background));
            settings.forEach(each -> each.accept(named));
            try {
                return new CabrankEventLoopGroup(named.start(), true);
            } catch (IOException unavailable) {
                throw new ChannelException("the event loops cannot start: " + unavailable.getMessage(), unavailable);
            }
        }
    }
}
