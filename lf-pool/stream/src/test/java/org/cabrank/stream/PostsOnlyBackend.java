package org.cabrank.stream;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.stream.transport.ChunkPool;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamContext;
import org.cabrank.stream.transport.StreamSettings;
import org.cabrank.stream.transport.StreamShard;

/** Shards that nothing but posts reach: enough of a backend for what concerns the pools of a reactor. */
final class PostsOnlyBackend implements StreamBackend, BackendProvider {
    private final List<StreamShard> shards = new ArrayList<>();

    @Override
    public String name() {
        return "posts";
    }

    @Override
    public int rank() {
        return Integer.MAX_VALUE;
    }

    @Override
    public StreamBackend open(StreamSettings settings) {
        for (int i = 0; i < settings.shards(); i++) {
            shards.add(new PostsOnlyShard());
        }
        return this;
    }

    @Override
    public String description() {
        return name();
    }

    @Override
    public List<StreamShard> shards() {
        return shards;
    }

    @Override
    public Listener listen(SocketAddress address, ListenOptions options, ConnectionAcceptor acceptor) {
        throw new UnsupportedOperationException("nobody can connect");
    }

    @Override
    public Listener listen(int fd, ListenOptions options, ConnectionAcceptor acceptor) {
        throw new UnsupportedOperationException("nobody can connect");
    }

    @Override
    public void close() {
        shards.forEach(shard -> shard.handleSet().close());
    }

    private static final class PostsOnlyShard implements StreamShard {
        private final HandleSet set = new PostsOnlySet();

        @Override
        public HandleSet handleSet() {
            return set;
        }

        @Override
        public StreamContext context() {
            return new StreamContext(set, StreamLimits.DEFAULT, new ChunkPool(1 << 10, buffer -> 0));
        }

        @Override
        public CompletableFuture<Connection> connect(
                SocketAddress address, ConnectOptions options, ConnectionHandler handler) {
            throw new UnsupportedOperationException("there is nobody to connect to");
        }

        @Override
        public void drain() {
            // nothing is under way
        }

        @Override
        public void cutOff() {
            // nobody is connected
        }

        @Override
        public List<Connection> connections() {
            return List.of();
        }

        @Override
        public int streamCount() {
            return 0;
        }
    }

    private static final class PostsOnlySet extends HandleSet {
        private final Semaphore interrupts = new Semaphore(0);

        PostsOnlySet() {
            super(Deactivation.CLAIM);
        }

        @Override
        protected Harvest newHarvest() {
            return new Harvest() {
                @Override
                protected int await(long timeoutNs) {
                    try {
                        if (interrupts.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS)) {
                            interrupts.drainPermits();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // an empty harvest
                    }
                    return 0;
                }

                @Override
                protected Handle next() {
                    return null;
                }

                @Override
                protected int ready() {
                    throw new IllegalStateException("there is no event");
                }
            };
        }

        @Override
        protected void interruptAwait() {
            interrupts.release();
        }

        @Override
        protected void rearm(Handle handle) {
            throw new IllegalStateException("there is no descriptor");
        }

        @Override
        protected void closeDescriptor(Handle handle) {
            throw new IllegalStateException("there is no descriptor");
        }
    }
}
