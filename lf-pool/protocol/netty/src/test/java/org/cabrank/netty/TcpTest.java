package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoop;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCountUtil;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TCP channels in their strands. */
class TcpTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    private CabrankEventLoopGroup group;

    private void start(String backend, int threads) {
        group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(2).threadsPerShard(threads))
                .build();
    }

    @AfterEach
    void end() {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        assertFalse(group.iterator().hasNext());
    }

    private Channel listen(Supplier<ChannelHandler> handlers) {
        return done(new ServerBootstrap()
                        .group(group)
                        .channel(CabrankServerSocketChannel.class)
                        .childHandler(initializer(handlers))
                        .bind(InetAddress.getLoopbackAddress(), 0))
                .channel();
    }

    private Channel connect(SocketAddress to, EventLoop loop, ChannelHandler handler) {
        return done(new Bootstrap()
                        .group(loop == null ? group : loop)
                        .channel(CabrankSocketChannel.class)
                        .handler(handler)
                        .connect(to))
                .channel();
    }

    private static ChannelInitializer<Channel> initializer(Supplier<ChannelHandler> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(handlers.get());
            }
        };
    }

    private static ChannelFuture done(ChannelFuture future) {
        assertTrue(future.awaitUninterruptibly(PATIENCE_MS));
        return future.syncUninterruptibly();
    }

    /** Writes back what it reads. */
    private static class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    /** Compares what comes with what the same seed has sent. */
    private static final class Comparison extends ChannelInboundHandlerAdapter {
        private final Random expected;
        private final CountDownLatch left;
        private final BlockingQueue<String> wrong;

        Comparison(long seed, CountDownLatch left, BlockingQueue<String> wrong) {
            this.expected = new Random(seed);
            this.left = left;
            this.wrong = wrong;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf data = (ByteBuf) message;
            if (!context.channel().eventLoop().inEventLoop()) {
                wrong.add("outside of the event loop");
            }
            while (data.isReadable()) {
                if (data.readByte() != (byte) expected.nextInt()) {
                    wrong.add("another byte");
                }
                left.countDown();
            }
            data.release();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void bytesComeBackInOrderWhileManyThreadsWriteAndHandlersBlock(String backend) throws Exception {
        start(backend, 4);
        AtomicInteger reads = new AtomicInteger();
        Channel server = listen(() -> new Echo() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (reads.incrementAndGet() % 100 == 0) {
                    Await.until(Duration.ofMillis(3), () -> false);
                }
                super.channelRead(context, message);
            }
        });
        int connections = 16;
        int writes = 200;
        int bytes = 500;
        BlockingQueue<String> wrong = new LinkedBlockingQueue<>();
        CountDownLatch left = new CountDownLatch(connections * writes * bytes);
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            long seed = i;
            Channel client = connect(server.localAddress(), null, new Comparison(seed, left, wrong));
            writers.add(new Thread(() -> {
                Random random = new Random(seed);
                for (int j = 0; j < writes; j++) {
                    ByteBuf data = j % 2 == 0
                            ? client.alloc().buffer(bytes)
                            : client.alloc().heapBuffer(bytes);
                    for (int k = 0; k < bytes; k++) {
                        data.writeByte(random.nextInt());
                    }
                    client.writeAndFlush(data);
                }
            }));
        }
        writers.forEach(Thread::start);
        assertTrue(
                left.await(PATIENCE_MS, TimeUnit.MILLISECONDS), () -> left.getCount() + " bytes are missing " + wrong);
        assertEquals(List.of(), List.copyOf(wrong));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void blockedHandlerDelaysNoOtherChannelOfTheShard(String backend) throws Exception {
        start(backend, 3);
        CountDownLatch release = new CountDownLatch(1);
        // by address: channels may be initialised in any order
        Set<SocketAddress> blocked = ConcurrentHashMap.newKeySet();
        Channel server = listen(() -> new Echo() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (blocked.contains(context.channel().remoteAddress())) {
                    awaitUninterruptibly(release);
                }
                super.channelRead(context, message);
            }
        });
        BlockingQueue<String> wrong = new LinkedBlockingQueue<>();
        for (int i = 0; i < 8; i++) {
            CountDownLatch left = new CountDownLatch(1);
            Channel client = connect(server.localAddress(), null, new Comparison(0, left, wrong));
            if (i < 2) {
                blocked.add(client.localAddress());
            }
            client.writeAndFlush(client.alloc().buffer().writeByte(new Random(0).nextInt()));
            assertTrue(i < 2 || left.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        }
        release.countDown();
        assertEquals(List.of(), List.copyOf(wrong));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A proxy: the outbound channel is registered with the event loop of the inbound one. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void channelsOfOneEventLoopExcludeEachOther(String backend) throws Exception {
        start(backend, 4);
        Channel target = listen(Echo::new);
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        Channel proxy = listen(() -> new Forwarding(target.localAddress(), wrong));
        int bytes = 200_000;
        CountDownLatch left = new CountDownLatch(bytes);
        BlockingQueue<String> different = new LinkedBlockingQueue<>();
        Channel client = connect(proxy.localAddress(), null, new Comparison(7, left, different));
        Random random = new Random(7);
        for (int sent = 0; sent < bytes; sent += 100) {
            ByteBuf data = client.alloc().buffer(100);
            for (int i = 0; i < 100; i++) {
                data.writeByte(random.nextInt());
            }
            client.writeAndFlush(data);
        }
        assertTrue(left.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEquals(List.of(), List.copyOf(different));
        assertEquals(List.of(), List.copyOf(wrong));
    }

    private static final class Forwarding extends ChannelInboundHandlerAdapter {
        private final SocketAddress to;
        private final ConcurrentLinkedQueue<String> wrong;
        private final AtomicInteger inside = new AtomicInteger();
        private Channel outbound;

        Forwarding(SocketAddress to, ConcurrentLinkedQueue<String> wrong) {
            this.to = to;
            this.wrong = wrong;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(false);
            Channel inbound = context.channel();
            outbound = new Bootstrap()
                    .group(inbound.eventLoop())
                    .channel(CabrankSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelRead(ChannelHandlerContext back, Object message) {
                            exclusively(back, () -> inbound.writeAndFlush(message));
                        }
                    })
                    .connect(to)
                    .addListener(connected -> inbound.config().setAutoRead(true))
                    .channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            exclusively(context, () -> outbound.writeAndFlush(message));
        }

        private void exclusively(ChannelHandlerContext context, Runnable action) {
            if (inside.incrementAndGet() != 1 || !context.executor().inEventLoop()) {
                wrong.add("two threads");
            }
            action.run();
            inside.decrementAndGet();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void eachChannelHasAnEventLoopOfItsOwnWhichEndsWithTheChannel(String backend) throws Exception {
        start(backend, 2);
        Channel server = listen(Echo::new);
        Channel one = connect(server.localAddress(), null, new Echo());
        Channel two = connect(server.localAddress(), null, new Echo());
        assertNotSame(one.eventLoop(), two.eventLoop());
        Channel shares = connect(server.localAddress(), one.eventLoop(), new Echo());
        assertSame(one.eventLoop(), shares.eventLoop());
        done(one.close());
        assertFalse(one.eventLoop().terminationFuture().isDone());
        done(shares.close());
        assertTrue(one.eventLoop().terminationFuture().await(PATIENCE_MS));
        assertFalse(two.eventLoop().terminationFuture().isDone());
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void writeBeforeACloseLeavesBeforeIt(String backend) throws Exception {
        start(backend, 2);
        int bytes = 3_000_000;
        Channel server = listen(() -> new ChannelInboundHandlerAdapter() {
            @Override
            public void channelActive(ChannelHandlerContext context) {
                context.writeAndFlush(context.alloc().buffer(bytes).writeZero(bytes))
                        .addListener(written -> context.close());
            }
        });
        CountDownLatch left = new CountDownLatch(bytes);
        CountDownLatch closed = new CountDownLatch(1);
        connect(server.localAddress(), null, new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                ByteBuf data = (ByteBuf) message;
                for (int i = data.readableBytes(); i > 0; i--) {
                    left.countDown();
                }
                data.release();
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                closed.countDown();
            }
        });
        assertTrue(closed.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEquals(0, left.getCount());
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void refusedConnectFailsWithItsType(String backend) {
        start(backend, 2);
        Channel server = listen(Echo::new);
        InetSocketAddress gone = (InetSocketAddress) server.localAddress();
        done(server.close());
        Await.until("the port is free", () -> {
            ChannelFuture attempt = new Bootstrap()
                    .group(group)
                    .channel(CabrankSocketChannel.class)
                    .handler(new Echo())
                    .connect(gone)
                    .awaitUninterruptibly();
            attempt.channel().close().awaitUninterruptibly();
            return attempt.cause() instanceof ConnectException;
        });
    }

    /** Not in an event of the channel, where the close takes place at once. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void nothingIsSentAfterAListenerOfAWriteHasClosedTheChannel(String backend) throws Exception {
        start(backend, 2);
        Channel server = listen(Echo::new);
        Channel client = connect(server.localAddress(), null, new ChannelInboundHandlerAdapter());
        AtomicInteger transfers = new AtomicInteger();
        FileRegion next = new DefaultFileRegion(new File("unused"), 0, 1) {
            @Override
            public long transferTo(WritableByteChannel target, long position) {
                transfers.incrementAndGet();
                return 0;
            }

            @Override
            public void open() {
                transfers.incrementAndGet();
            }
        };
        AtomicReference<ChannelFuture> left = new AtomicReference<>();
        client.eventLoop()
                .schedule(
                        () -> {
                            client.write(client.alloc().buffer().writeByte(1)).addListener(ChannelFutureListener.CLOSE);
                            left.set(client.writeAndFlush(next));
                        },
                        1,
                        TimeUnit.MILLISECONDS)
                .syncUninterruptibly();
        done(client.closeFuture());
        assertTrue(left.get().awaitUninterruptibly(PATIENCE_MS));
        assertEquals(0, transfers.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void writeBeforeTheEndOfAConnectIsSentAfterIt(String backend) throws Exception {
        start(backend, 2);
        Channel server = listen(Echo::new);
        CabrankSocketChannel client = new CabrankSocketChannel();
        done(group.register(client));
        AtomicReference<ChannelFuture> written = new AtomicReference<>();
        client.eventLoop()
                .submit(() -> {
                    client.connect(server.localAddress());
                    written.set(client.writeAndFlush(client.alloc().buffer().writeByte(1)));
                })
                .syncUninterruptibly();
        done(written.get());
    }

    /** Fills the stack, and closes the channel in the deepest frame in which the close does not fail. */
    private static void closeInTheDeepestFrame(ChannelHandlerContext context) {
        try {
            closeInTheDeepestFrame(context);
        } catch (Throwable full) {
            if (context.close().cause() != null) {
                throw full;
            }
        }
    }

    /** The first close loads the classes, which would be unusable if their initialization met the end of the stack. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void closeNearTheEndOfTheStackFailsOrEndsTheChannel(String backend) throws Exception {
        start(backend, 1);
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger unregistered = new AtomicInteger();
        BlockingQueue<Channel> channels = new LinkedBlockingQueue<>();
        InetSocketAddress address = (InetSocketAddress) listen(() -> new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        channels.add(context.channel());
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        ReferenceCountUtil.release(message);
                        if (ended.get() == 0) {
                            context.close();
                        } else {
                            closeInTheDeepestFrame(context);
                        }
                    }

                    @Override
                    public void channelInactive(ChannelHandlerContext context) {
                        ended.incrementAndGet();
                    }

                    @Override
                    public void channelUnregistered(ChannelHandlerContext context) {
                        unregistered.incrementAndGet();
                    }
                })
                .localAddress();
        for (int i = 1; i <= 6; i++) {
            int number = i;
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                client.setSoTimeout((int) PATIENCE_MS);
                client.getOutputStream().write(1);
                assertEquals(-1, client.getInputStream().read());
                Channel channel = channels.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
                assertTrue(channel.close().awaitUninterruptibly(PATIENCE_MS));
                Await.until("the end is seen", () -> unregistered.get() == number);
                assertEquals(number, ended.get());
            }
        }
    }

    /** Returns true if the kernel tries to connect a socket with this local port. */
    private static boolean isConnecting(int port) throws IOException {
        Pattern synSent = Pattern.compile(String.format(":%04X [0-9A-F]+:[0-9A-F]{4} 02 ", port));
        return synSent.matcher(Files.readString(Path.of("/proc/net/tcp6"))).find();
    }

    /** In a task of the ring's thread, so the ring, whose poll keeps the socket open, is not entered between the close and the check. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void closeEndsAConnectAtOnce(String backend) throws Exception {
        start(backend, 1);
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket one = new Socket(full.getInetAddress(), full.getLocalPort());
                Socket other = new Socket(full.getInetAddress(), full.getLocalPort())) {
            assertTrue(one.isConnected() && other.isConnected());
            CabrankSocketChannel channel = new CabrankSocketChannel();
            done(group.register(channel));
            EventLoop loop = channel.eventLoop();
            ChannelFuture connect = channel.connect(full.getLocalSocketAddress());
            int port = loop.submit(() -> channel.localAddress().getPort()).get();
            assertTrue(isConnecting(port));
            assertFalse(loop.submit(() -> {
                        channel.close();
                        return isConnecting(port);
                    })
                    .get());
            assertTrue(channel.closeFuture().awaitUninterruptibly(PATIENCE_MS));
            assertTrue(connect.awaitUninterruptibly(PATIENCE_MS));
        }
    }
}
