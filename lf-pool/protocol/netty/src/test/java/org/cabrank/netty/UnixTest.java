package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels of Unix sockets, with sockets of the JDK as peers. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"epoll", "iouring"})
class UnixTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    @Parameter
    String backend;

    @TempDir
    Path directory;

    private CabrankEventLoopGroup group;
    private UnixDomainSocketAddress address;

    @BeforeEach
    void start() {
        address = UnixDomainSocketAddress.of(directory.resolve("service"));
        group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(3))
                .build();
    }

    @AfterEach
    void end() {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        assertFalse(group.iterator().hasNext());
    }

    private static <F extends ChannelFuture> Channel done(F future) {
        assertTrue(future.awaitUninterruptibly(PATIENCE_MS), () -> "not done: " + future);
        future.syncUninterruptibly();
        return future.channel();
    }

    private static ChannelInitializer<Channel> initializer(Supplier<ChannelHandler> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(handlers.get());
            }
        };
    }

    private ServerBootstrap server(Supplier<ChannelHandler> handlers) {
        return new ServerBootstrap()
                .group(group)
                .channel(CabrankServerDomainSocketChannel.class)
                .childHandler(initializer(handlers));
    }

    private ChannelFuture connect(ChannelHandler handler) {
        return new Bootstrap()
                .group(group)
                .channel(CabrankDomainSocketChannel.class)
                .handler(handler)
                .connect(address);
    }

    /** Keeps what happens, and is added to one channel. */
    private static class Recorder extends ChannelInboundHandlerAdapter {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
        volatile Channel channel;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf data = (ByteBuf) message;
            synchronized (read) {
                read.writeBytes(ByteBufUtil.getBytes(data));
            }
            data.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            events.add(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            events.add(cause);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            events.add("inactive");
        }

        byte[] bytes() {
            synchronized (read) {
                return read.toByteArray();
            }
        }

        void awaitBytes(int count) {
            Await.until(count + " bytes", () -> bytes().length >= count);
        }

        Object event() throws InterruptedException {
            return events.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Writes back what it reads. */
    private static class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            context.writeAndFlush(message);
        }
    }

    @Test
    void clientOfTheJdkGetsItsBytesBack() throws Exception {
        done(server(Echo::new).bind(address));
        byte[] sent = new byte[300_000];
        new Random(1).nextBytes(sent);
        try (SocketChannel client = SocketChannel.open(address)) {
            Thread writer = new Thread(() -> {
                try {
                    ByteBuffer data = ByteBuffer.wrap(sent);
                    while (data.hasRemaining()) {
                        client.write(data);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            writer.start();
            assertArrayEquals(sent, Channels.newInputStream(client).readNBytes(sent.length));
            writer.join(PATIENCE_MS);
        }
    }

    @Test
    void channelsHaveTheAddressOfTheFile() throws Exception {
        Recorder accepted = new Recorder();
        Channel listening = done(server(() -> accepted).bind(address));
        Channel client = done(connect(new Recorder()));
        assertEquals(address, listening.localAddress());
        assertNull(listening.remoteAddress());
        assertEquals(address, client.remoteAddress());
        Await.until("the connection is accepted", () -> accepted.channel != null);
        assertEquals(address, accepted.channel.localAddress());
    }

    @Test
    void closeRemovesTheFileThatTheBindHasMade() {
        Channel listening = done(server(Echo::new).bind(address));
        assertTrue(Files.exists(address.getPath()));
        done(listening.close());
        assertFalse(Files.exists(address.getPath()));
        done(server(Echo::new).bind(address));
    }

    /** A process that was killed leaves the file. A service deletes it when nobody answers there. */
    @Test
    void fileThatIsThereIsRefusedAndLeftAlone() throws Exception {
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address).close();
        ChannelFuture refused = server(Echo::new).bind(address);
        assertTrue(refused.awaitUninterruptibly(PATIENCE_MS));
        assertInstanceOf(BindException.class, refused.cause());
        done(refused.channel().closeFuture());
        assertTrue(Files.exists(address.getPath()));
        ChannelFuture nobody = connect(new Echo());
        assertTrue(nobody.awaitUninterruptibly(PATIENCE_MS));
        assertInstanceOf(ConnectException.class, nobody.cause());
        Files.delete(address.getPath());
        ChannelFuture noFile = connect(new Echo());
        assertTrue(noFile.awaitUninterruptibly(PATIENCE_MS));
        assertInstanceOf(FileNotFoundException.class, noFile.cause());
        done(server(Echo::new).bind(address));
        done(connect(new Echo()));
    }

    @Test
    void optionsReachTheKernelAndThoseOfTcpAreRefused() throws Exception {
        Recorder accepted = new Recorder();
        Channel listening = done(server(() -> accepted)
                .option(ChannelOption.SO_BACKLOG, 7)
                .childOption(ChannelOption.SO_SNDBUF, 20_000)
                .bind(address));
        assertEquals(7, listening.config().getOption(ChannelOption.SO_BACKLOG));
        Channel client = done(connect(new Recorder()));
        Await.until("the connection is accepted", () -> accepted.channel != null);
        assertEquals(40_000, accepted.channel.config().getOption(ChannelOption.SO_SNDBUF)); // the kernel doubles it
        assertTrue(client.config().setOption(ChannelOption.SO_RCVBUF, 10_000));
        assertEquals(20_000, client.config().getOption(ChannelOption.SO_RCVBUF));
        assertFalse(client.config().setOption(ChannelOption.TCP_NODELAY, true));
        assertFalse(client.config().getOptions().containsKey(ChannelOption.SO_KEEPALIVE));
    }

    @Test
    void halfClosureLeavesTheOtherDirectionOpen() throws Exception {
        Recorder handler = new Recorder();
        done(server(() -> handler)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .bind(address));
        try (SocketChannel client = SocketChannel.open(address)) {
            client.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            client.shutdownOutput();
            assertEquals(ChannelInputShutdownEvent.INSTANCE, handler.event());
            assertArrayEquals(new byte[] {1, 2, 3}, handler.bytes());
            DuplexChannel accepted = (DuplexChannel) handler.channel;
            assertTrue(accepted.isInputShutdown() && !accepted.isOutputShutdown());
            done(accepted.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {4, 5})));
            done(accepted.shutdownOutput());
            assertArrayEquals(new byte[] {4, 5}, Channels.newInputStream(client).readAllBytes());
            assertTrue(accepted.isOpen());
            done(accepted.close());
        }
    }

    @Test
    void endOfTheInputClosesTheChannelIfHalfClosureIsOff() throws Exception {
        Recorder handler = new Recorder();
        done(server(() -> handler).bind(address));
        try (SocketChannel client = SocketChannel.open(address)) {
            client.shutdownOutput();
            assertEquals("inactive", handler.event());
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void nothingIsReadUntilItIsRequested() throws Exception {
        Recorder handler = new Recorder();
        done(server(() -> handler).childOption(ChannelOption.AUTO_READ, false).bind(address));
        try (SocketChannel client = SocketChannel.open(address)) {
            client.write(ByteBuffer.wrap(new byte[] {1}));
            Await.until("the connection is accepted", () -> handler.channel != null);
            done(handler.channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {9})));
            assertEquals(9, Channels.newInputStream(client).read());
            assertEquals(0, handler.bytes().length);
            handler.channel.read();
            handler.awaitBytes(1);
            client.write(ByteBuffer.wrap(new byte[] {2}));
            handler.channel.config().setAutoRead(true);
            handler.awaitBytes(2);
            assertArrayEquals(new byte[] {1, 2}, handler.bytes());
        }
    }

    @Test
    void partOfAFileIsSent() throws Exception {
        byte[] content = new byte[500_000];
        new Random(2).nextBytes(content);
        Path file = Files.write(directory.resolve("file"), content);
        done(server(() -> new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        context.writeAndFlush(new DefaultFileRegion(file.toFile(), 1_000, content.length - 2_000))
                                .addListener(sent -> context.close());
                    }
                })
                .bind(address));
        try (SocketChannel client = SocketChannel.open(address)) {
            byte[] received = Channels.newInputStream(client).readAllBytes();
            assertArrayEquals(Arrays.copyOfRange(content, 1_000, content.length - 1_000), received);
        }
    }

    @Test
    void slowReaderMakesTheChannelUnwritableAndThenWritable() throws Exception {
        Recorder handler = new Recorder();
        done(server(() -> handler).bind(address));
        try (SocketChannel client = SocketChannel.open(address)) {
            Await.until("the connection is accepted", () -> handler.channel != null);
            int bytes = 4 << 20;
            ChannelFuture written = handler.channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[bytes]));
            Await.until("the channel is full", () -> !handler.channel.isWritable());
            assertFalse(written.isDone());
            assertEquals(bytes, Channels.newInputStream(client).readNBytes(bytes).length);
            done(written);
            Await.until("there is room", handler.channel::isWritable);
        }
    }

    /** A Unix socket reports the reset to the peer that has written what nobody has read. */
    @Test
    void peerThatLeavesBytesUnreadResetsTheConnection() throws Exception {
        Recorder handler = new Recorder();
        done(server(() -> handler).bind(address));
        try (SocketChannel client = SocketChannel.open(address)) {
            Await.until("the connection is accepted", () -> handler.channel != null);
            done(handler.channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1})));
            assertTrue(client.isConnected());
        }
        assertInstanceOf(IOException.class, handler.event());
        assertEquals("inactive", handler.event());
    }

    @Test
    void blockedHandlerDelaysNoOtherChannel() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        done(server(() -> new Echo() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
                        if (((ByteBuf) message).getByte(0) == 1) {
                            assertTrue(release.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
                        }
                        super.channelRead(context, message);
                    }
                })
                .bind(address));
        Recorder blocked = new Recorder();
        Recorder other = new Recorder();
        done(connect(blocked)).writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1}));
        done(connect(other)).writeAndFlush(Unpooled.wrappedBuffer(new byte[] {2}));
        other.awaitBytes(1);
        assertEquals(0, blocked.bytes().length);
        release.countDown();
        blocked.awaitBytes(1);
    }

    /** A receive stops behind bytes that came with a descriptor, and has then not taken all. */
    @Test
    void bytesBehindAPassedDescriptorAreRead() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        Recorder handler = new Recorder() {
            @Override
            public void channelActive(ChannelHandlerContext context) {
                Await.until("all is sent", () -> sent.getCount() == 0);
            }
        };
        done(server(() -> handler).bind(address));
        EventLoopGroup nettys = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        try {
            Channel client = done(new Bootstrap()
                    .group(nettys)
                    .channel(EpollDomainSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(new DomainSocketAddress(address.getPath().toString())));
            client.write(new FileDescriptor(0));
            done(client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1, 2, 3})));
            sent.countDown();
            handler.awaitBytes(4); // the descriptor came with a byte
        } finally {
            nettys.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }
}
