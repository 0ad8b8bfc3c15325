package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.DefaultMaxBytesRecvByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.transport.StreamContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order and number of a channel's events, and its ends. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"epoll", "iouring"})
class ChannelEventOrderTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();
    private static final int PIECE = 1_024;

    @Parameter
    String backend;

    private CabrankEventLoopGroup group;

    @BeforeEach
    void start() {
        group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(2))
                .build();
    }

    @AfterEach
    void end() {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

    /** Keeps the names of the events of its channel. */
    private final class Names extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRegistered(ChannelHandlerContext context) {
            events.add("registered");
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            events.add("active");
            accepted.add(context.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
            events.add("read");
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            events.add("complete");
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            events.add("inactive");
        }

        @Override
        public void channelUnregistered(ChannelHandlerContext context) {
            events.add("unregistered");
        }
    }

    /** The child is given to the test, which registers it. */
    private InetSocketAddress listenUnregistered(BlockingQueue<Channel> children) {
        CabrankServerSocketChannel listening = new CabrankServerSocketChannel();
        listening.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object child) {
                children.add((Channel) child);
            }
        });
        group.register(listening).syncUninterruptibly();
        listening
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly();
        return listening.localAddress();
    }

    /** Four reads at most are one loop of reading. */
    @Test
    void bytesAreHeldUntilTheChannelIsActiveAndEachLoopOfReadingIsBounded() throws Exception {
        BlockingQueue<Channel> children = new LinkedBlockingQueue<>();
        InetSocketAddress address = listenUnregistered(children);
        List<String> expected = new ArrayList<>(List.of("registered", "active"));
        for (int reads : new int[] {4, 4, 2}) {
            expected.addAll(Collections.nCopies(reads, "read"));
            expected.add("complete");
        }
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            client.getOutputStream().write(new byte[10 * PIECE]);
            Channel child = children.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
            assertNotNull(child);
            child.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(PIECE).maxMessagesPerRead(4));
            child.pipeline().addLast(new Names());
            group.register(child).syncUninterruptibly();
            Await.until("all is read", () -> events.size() >= expected.size());
            assertEquals(expected, List.copyOf(events));
        }
        Await.until("the end is read", () -> events.contains("unregistered"));
        expected.addAll(List.of("complete", "inactive", "unregistered"));
        assertEquals(expected, List.copyOf(events));
    }

    /** Otherwise the channel could be in one shard and its strand in another. */
    @Test
    void channelThatWasGivenToOneEventLoopIsRefusedByAnother() throws Exception {
        BlockingQueue<Channel> children = new LinkedBlockingQueue<>();
        InetSocketAddress address = listenUnregistered(children);
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            Channel child = children.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
            EventLoop first = group.next();
            ChannelPromise cancelled = new DefaultChannelPromise(child, first);
            assertTrue(cancelled.cancel(false));
            first.register(cancelled);
            first.submit(() -> {}).syncUninterruptibly(); // behind the registration
            ChannelFuture refused = group.next().register(child);
            assertTrue(refused.awaitUninterruptibly(PATIENCE_MS));
            assertInstanceOf(IllegalStateException.class, refused.cause());
            assertTrue(child.closeFuture().awaitUninterruptibly(PATIENCE_MS));
            assertEquals(-1, client.getInputStream().read());
        }
    }

    private Socket connect() throws Exception {
        InetSocketAddress address = (InetSocketAddress) new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Names());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
        return new Socket(address.getAddress(), address.getPort());
    }

    @Test
    void lingerTimeOfZeroResetsThePeer() throws Exception {
        try (Socket client = connect()) {
            Channel channel = accepted.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
            assertEquals(-1, channel.config().getOption(ChannelOption.SO_LINGER));
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            assertEquals(0, channel.config().getOption(ChannelOption.SO_LINGER));
            channel.close();
            assertThrows(SocketException.class, client.getInputStream()::read);
        }
    }

    /** The event loop of a channel cannot be exchanged. */
    @Test
    void deregistrationClosesTheChannelAndLogsWhy() throws Exception {
        Queue<String> logged = new ConcurrentLinkedQueue<>();
        Logger logger = Logger.getLogger(AbstractCabrankChannel.class.getName());
        Handler recorder = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(recorder);
        try (Socket client = connect()) {
            Channel channel = accepted.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
            assertTrue(channel.deregister().awaitUninterruptibly(PATIENCE_MS));
            assertTrue(channel.closeFuture().awaitUninterruptibly(PATIENCE_MS));
            assertEquals(-1, client.getInputStream().read());
        } finally {
            logger.removeHandler(recorder);
        }
        assertTrue(logged.stream().anyMatch(each -> each.contains("was deregistered")), logged::toString);
        assertEquals(List.of("registered", "active", "inactive", "unregistered"), List.copyOf(events));
    }

    /** In a task of the timer, which does not have the claim of the channel's handle, so the close ends later. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deregistrationDuringACloseKeepsTheOrderOfTheEvents(boolean closesFirst) throws Exception {
        try (Socket client = connect()) {
            Channel channel = accepted.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
            EventLoop loop = channel.eventLoop();
            Callable<ChannelFuture> end = () -> {
                ChannelFuture first = closesFirst ? channel.close() : channel.deregister();
                assertFalse(first.isDone());
                return closesFirst ? channel.deregister() : channel.close();
            };
            loop.submit(() -> loop.schedule(end, 1, TimeUnit.MILLISECONDS))
                    .get()
                    .syncUninterruptibly();
            assertTrue(channel.closeFuture().awaitUninterruptibly(PATIENCE_MS));
            assertEquals(-1, client.getInputStream().read());
            Await.until("the end is seen", () -> events.contains("unregistered"));
            loop.submit(() -> {}).syncUninterruptibly(); // behind the end of the close
        }
        assertEquals(List.of("registered", "active", "inactive", "unregistered"), List.copyOf(events));
    }

    /** Registers the child when its input and the end of the input have come. */
    private int readToTheEnd(Channel child) {
        AtomicInteger bytes = new AtomicInteger();
        child.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                bytes.addAndGet(((ByteBuf) message).readableBytes());
                ReferenceCountUtil.release(message);
            }
        });
        group.register(child).syncUninterruptibly();
        assertTrue(child.closeFuture().awaitUninterruptibly(PATIENCE_MS));
        return bytes.get();
    }

    /** Such an allocator returns an empty buffer when the bytes of one loop of reading are used up. */
    @Test
    void bytesBehindTheLimitOfALoopOfReadingAreReadBeforeTheEnd() throws Exception {
        BlockingQueue<Channel> children = new LinkedBlockingQueue<>();
        InetSocketAddress address = listenUnregistered(children);
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            client.getOutputStream().write(new byte[10 * PIECE]);
        }
        Channel child = children.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
        child.config().setRecvByteBufAllocator(new DefaultMaxBytesRecvByteBufAllocator(2 * PIECE, PIECE));
        assertEquals(10 * PIECE, readToTheEnd(child));
    }

    /** A receive stops before urgent data, and has then not taken all. */
    @Test
    void bytesBehindUrgentDataAreRead() throws Exception {
        BlockingQueue<Channel> children = new LinkedBlockingQueue<>();
        InetSocketAddress address = listenUnregistered(children);
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            client.getOutputStream().write(new byte[] {1, 2, 3});
            client.sendUrgentData('!');
            client.getOutputStream().write(new byte[] {4, 5, 6});
            Channel child = children.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
            AtomicInteger bytes = new AtomicInteger();
            child.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    bytes.addAndGet(((ByteBuf) message).readableBytes());
                    ReferenceCountUtil.release(message);
                }
            });
            group.register(child).syncUninterruptibly();
            Await.until("all is read", () -> bytes.get() == 6);
        }
    }

    @Test
    void registrationThatFailsWithAnErrorFailsItsPromiseAndClosesTheDescriptor() {
        ChannelSocket socket = ChannelSocket.open(Sockets.SOCK_STREAM);
        AbstractListeningChannel refused = new AbstractListeningChannel(socket, false, KernelOption.SERVER) {
            @Override
            Channel newChild(ChannelSocket child) {
                throw new AssertionError("the channel does not listen");
            }

            @Override
            boolean joins(StreamContext shard) {
                throw new OutOfMemoryError("on purpose");
            }
        };
        ChannelFuture registered = group.register(refused);
        assertTrue(registered.awaitUninterruptibly(PATIENCE_MS));
        assertInstanceOf(OutOfMemoryError.class, registered.cause());
        assertTrue(refused.closeFuture().awaitUninterruptibly(PATIENCE_MS));
        assertFalse(socket.isOpen());
        Await.until("no strand is left", () -> !group.iterator().hasNext());
    }

    @Test
    void connectionIsClosedIfItsChannelCannotBeMade() throws Exception {
        AbstractListeningChannel listening =
                new AbstractListeningChannel(ChannelSocket.open(Sockets.SOCK_STREAM), false, KernelOption.SERVER) {
                    @Override
                    Channel newChild(ChannelSocket accepted) {
                        throw new OutOfMemoryError("on purpose");
                    }
                };
        listening.pipeline().addLast(new Names());
        group.register(listening).syncUninterruptibly();
        listening
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly();
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            client.setSoTimeout((int) PATIENCE_MS);
            assertEquals(-1, client.getInputStream().read());
        }
    }
}
