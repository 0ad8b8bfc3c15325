package org.cabrank.example;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.bound.BoundLimits;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.bound.ReplyParser;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.BoundSocketChannel;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.WriteQueueFullException;

/** Recipes of the first page. */
final class Recipes {
    private Recipes() {}

    /** Stores an upload. While the file takes bytes, the connection reads no further: that is the back-pressure. */
    static ConnectionHandler upload(ReactorFile file) {
        return new ConnectionHandler() {
            private long stored;

            @Override
            public void data(Connection connection, ByteBuffer data) throws IOException {
                ByteBuffer copy = ByteBuffer.allocateDirect(data.remaining()).put(data);
                file.write(connection, copy.flip(), stored, (own, bytes) -> stored += bytes);
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) { // nothing is left unread here
                connection.write(StandardCharsets.US_ASCII.encode(stored + " bytes\n"));
                connection.close();
            }
        };
    }

    /** Sends each message to all subscribers. One that does not read loses messages, and delays no other. */
    static final class FanOut implements ConnectionHandler {
        final Set<Connection> subscribers = ConcurrentHashMap.newKeySet();
        final AtomicLong lost = new AtomicLong();

        /** Any thread. */
        void publish(ByteBuffer message) {
            for (Connection subscriber : subscribers) {
                try {
                    if (subscriber.isWritable()) { // at most 256 KiB wait for the subscriber
                        subscriber.write(message.duplicate());
                        continue;
                    }
                } catch (WriteQueueFullException full) {
                    // other threads have written more than the connection could take
                }
                lost.incrementAndGet();
            }
        }

        @Override
        public void opened(Connection connection) {
            subscribers.add(connection);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit()); // subscribers have nothing to say
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            subscribers.remove(connection);
        }
    }

    /** Watches an eventfd, as any descriptor, on the threads of a reactor: the handler is given what was added to it. */
    static DescriptorHandle watch(StreamReactor reactor, LongConsumer added) throws IOException {
        DescriptorSet set = DescriptorSet.of(reactor).get(0); // of the first shard
        Kernel kernel = set.kernel();
        int fd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
        ByteBuffer number = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        return set.register(fd, Ready.READ, (handle, ready) -> { // readiness is reported once: read until EAGAIN
            while (kernel.read(fd, kernel.addressOf(number), Long.BYTES) == Long.BYTES) {
                added.accept(number.getLong(0));
            }
        });
    }

    /** Calls from any number of threads over one connection. A thread that waits for its reply reads for all that wait. */
    static final class Caller implements ReplyParser<Integer, String>, AutoCloseable {
        private final DescriptorSet set = new EpollHandleSet(Kernels.system(), Deactivation.CLAIM);
        private final LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("calls", 64)); // callers at a time
        private final BoundThreadPool<Integer, String> bound;
        private final AtomicInteger ids = new AtomicInteger();

        Caller(SocketAddress server) throws Exception {
            BoundSocketChannel channel = BoundSocketChannel.connect(set, server, Duration.ofSeconds(5));
            bound = BoundThreadPool.open(pool, channel, this, BoundLimits.DEFAULT);
        }

        String call(String text) throws Exception {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int id = ids.incrementAndGet();
            ByteBuffer request = ByteBuffer.allocate(8 + bytes.length)
                    .putInt(4 + bytes.length)
                    .putInt(id)
                    .put(bytes);
            return bound.call(id, request.flip(), Duration.ofSeconds(5));
        }

        @Override
        public int messageBytes(ByteBuffer received) { // a length of 4 bytes, the request's number, a text
            return received.remaining() < 4 ? INCOMPLETE : 4 + received.getInt(received.position());
        }

        @Override
        public Integer requestId(ByteBuffer message) {
            return message.getInt(message.position() + 4);
        }

        @Override
        public String reply(ByteBuffer message) {
            return StandardCharsets.UTF_8
                    .decode(message.position(message.position() + 8))
                    .toString();
        }

        @Override
        public void close() {
            bound.close();
            pool.close();
            set.close();
        }
    }
}
