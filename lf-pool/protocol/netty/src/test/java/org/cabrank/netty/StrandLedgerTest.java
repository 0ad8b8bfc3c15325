package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ledger of the events of many strands, some of whose handlers block: each input, task and timer runs once, in the order of its source,
 * beside no other of its strand, and sees what the holder before has written.
 */
class StrandLedgerTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();
    private static final int CLIENTS = 12;

    /** Numbers that a client sends; the last is followed by the close. */
    private static final int NUMBERS = 2_000;

    private static final int SUBMITTERS = 2;
    private static final int TASKS = 500;
    private static final int TIMERS = 20;

    /** Entries after which a handler blocks. */
    private static final int BLOCKS_EACH = 97;

    /** One event loop's entries, by its holder and without a lock. */
    private static final class Ledger {
        private final EventLoop loop;
        private final Map<String, Integer> next = new HashMap<>();
        private final List<String> wrong = new ArrayList<>();
        private int inside;
        private int entries;

        Ledger(EventLoop loop) {
            this.loop = loop;
        }

        /** Numbers of a source go up from 0. */
        void enter(String source, int number) {
            if (!loop.inEventLoop() || inside++ != 0) {
                wrong.add(source + ": beside another");
            }
            int expected = next.merge(source, 1, Integer::sum) - 1;
            if (number != expected) {
                wrong.add(source + ": " + number + " instead of " + expected);
            }
            if (++entries % BLOCKS_EACH == 0) {
                Await.until(Duration.ofMillis(2), () -> false);
            }
            inside--;
        }
    }

    private final Map<EventLoop, Ledger> ledgers = new ConcurrentHashMap<>();
    private final CountDownLatch left = new CountDownLatch(CLIENTS * (1 + SUBMITTERS * TASKS + TIMERS));

    private Ledger of(EventLoop loop) {
        return ledgers.computeIfAbsent(loop, Ledger::new);
    }

    /** Enters the numbers that a client sends, and the end behind them. */
    private final class Numbers extends ByteToMessageDecoder {
        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            while (in.readableBytes() >= Integer.BYTES) {
                enter(context.channel(), in.readInt());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            super.channelInactive(context);
            enter(context.channel(), NUMBERS);
            left.countDown();
        }

        private void enter(Channel channel, int number) {
            of(channel.eventLoop()).enter("from " + channel.remoteAddress(), number);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void eachEventRunsOnceInOrderAndAlone(String backend) throws Exception {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(2).threadsPerShard(6))
                .build();
        Channel server = done(new ServerBootstrap()
                        .group(group)
                        .channel(CabrankServerSocketChannel.class)
                        .childHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                channel.pipeline().addLast(new Numbers());
                            }
                        })
                        .bind(InetAddress.getLoopbackAddress(), 0))
                .channel();
        List<Thread> threads = new ArrayList<>();
        EventLoop shared = null;
        for (int i = 0; i < CLIENTS; i++) {
            EventLoop loop = i % 2 == 0 ? group.next() : shared; // two clients of one strand
            shared = loop;
            Channel client = done(new Bootstrap()
                            .group(loop)
                            .channel(CabrankSocketChannel.class)
                            .handler(new ChannelInitializer<>() {
                                @Override
                                protected void initChannel(Channel channel) {}
                            })
                            .connect(server.localAddress()))
                    .channel();
            threads.add(new Thread(() -> send(client)));
            for (int j = 0; j < SUBMITTERS; j++) {
                String source = "client " + i + ", submitter " + j;
                threads.add(new Thread(() -> submit(loop, source)));
            }
            String timer = "timer " + i;
            loop.execute(() -> schedule(loop, timer));
        }
        threads.forEach(Thread::start);
        assertTrue(left.await(PATIENCE_MS, TimeUnit.MILLISECONDS), () -> left.getCount() + " are missing");
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        Collection<Ledger> all = ledgers.values();
        assertEquals(
                List.of(), all.stream().flatMap(ledger -> ledger.wrong.stream()).toList());
        assertEquals(
                CLIENTS * (NUMBERS + 1 + SUBMITTERS * TASKS + TIMERS),
                all.stream().mapToInt(ledger -> ledger.entries).sum());
    }

    private static void send(Channel client) {
        for (int i = 0; i < NUMBERS; i++) {
            ByteBuf number = client.alloc().buffer(Integer.BYTES).writeInt(i);
            if (i % 3 == 0) {
                client.writeAndFlush(number);
            } else {
                client.write(number);
            }
        }
        client.flush();
        client.close();
    }

    private void submit(EventLoop loop, String source) {
        for (int i = 0; i < TASKS; i++) {
            int number = i;
            loop.execute(() -> {
                of(loop).enter(source, number);
                left.countDown();
            });
        }
    }

    /** Inside: Netty runs the task of another thread at once if its time has passed when the event loop takes it. */
    private void schedule(EventLoop loop, String source) {
        for (int i = 0; i < TIMERS; i++) {
            int number = i;
            loop.schedule(
                    () -> {
                        of(loop).enter(source, number);
                        left.countDown();
                    },
                    i,
                    TimeUnit.MILLISECONDS);
        }
    }

    private static ChannelFuture done(ChannelFuture future) {
        assertTrue(future.awaitUninterruptibly(PATIENCE_MS));
        return future.syncUninterruptibly();
    }
}
