package org.cabrank.bench.contender;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.bench.handler.HandlerWork;

/** Serves one connection on a thread that may wait. Any number of threads. */
final class BlockingServer {

    /** Size in bytes of most connections' buffers, because thousands of connections hold a buffer while they wait. */
    private static final int SMALL_BYTES = 4 << 10;

    /** Size in bytes of the buffers of connections that send more at once. */
    private static final int LARGE_BYTES = 64 << 10;

    private final Protocol protocol;
    private final HandlerWork work;
    private final BufferPool small = new BufferPool(SMALL_BYTES);
    private final BufferPool large = new BufferPool(LARGE_BYTES);

    BlockingServer(Protocol protocol, HandlerWork work) {
        this.protocol = protocol;
        this.work = work;
    }

    /** Until it ends. */
    void serve(SocketChannel channel) throws IOException {
        if (protocol == Protocol.ECHO) {
            serve(channel, new EchoService(work));
            return;
        }
        ByteBuffer answers = small.take();
        try {
            serve(channel, new HttpService(work, answers));
        } finally {
            small.giveBack(answers);
        }
    }

    private void serve(SocketChannel channel, Service service) throws IOException {
        BufferPool pool = small;
        ByteBuffer buffer = pool.take();
        try {
            while (channel.read(buffer) >= 0) {
                boolean filled = !buffer.hasRemaining();
                answer(channel, service, buffer.flip());
                if (filled && pool == small) {
                    pool.giveBack(buffer);
                    pool = large;
                    buffer = pool.take();
                }
                buffer.clear();
            }
        } finally {
            pool.giveBack(buffer);
        }
    }

    private static void answer(SocketChannel channel, Service service, ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
            ByteBuffer answer = service.answer(data);
            while (answer.hasRemaining()) {
                channel.write(answer);
            }
        }
        if (service.ended()) {
            channel.shutdownOutput(); // and go on reading to the peer's end, so that no reset overtakes the answer
        }
    }

    /** Direct buffers of connections that have ended, for connections to come. Any thread. */
    static final class BufferPool {

        private final int bytes;
        private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

        /** @param bytes of each buffer */
        BufferPool(int bytes) {
            this.bytes = bytes;
        }

        ByteBuffer take() {
            ByteBuffer used = free.poll();
            return used == null ? ByteBuffer.allocateDirect(bytes) : used.clear();
        }

        void giveBack(ByteBuffer buffer) {
            free.add(buffer);
        }
    }
}
