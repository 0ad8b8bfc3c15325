package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Work that is under way while a handler blocks, and the group ends by its time-out or the reactor ends below it: each promise is completed,
 * each scheduled task is cancelled, and a handler sees the end of its channel.
 */
class UnfinishedWorkTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    /** More than the buffers of a socket and its peer take. */
    private static final int MUCH = 16 << 20;

    /** Part that ends while a handler blocks. */
    enum End {
        GROUP_AND_REACTOR,
        GROUP,
        REACTOR
    }

    private CabrankEventLoopGroup group;
    private StreamReactor reactor;
    private final CountDownLatch release = new CountDownLatch(1);

    private void start(End end, String backend) throws IOException {
        if (end == End.GROUP_AND_REACTOR) {
            group = CabrankEventLoopGroup.builder()
                    .daemon(true)
                    .reactor(builder ->
                            builder.backend(Backend.named(backend)).shards(1).threadsPerShard(2))
                    .build();
        } else {
            reactor = StreamReactor.builder()
                    .backend(Backend.named(backend))
                    .shards(1)
                    .threadsPerShard(2)
                    .start();
            group = CabrankEventLoopGroup.over(reactor);
        }
    }

    private void block(EventLoop loop) throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        loop.execute(() -> {
            entered.countDown();
            try {
                assertTrue(release.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(entered.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
    }

    /** Ends that part, and then releases the handler that blocks. */
    private void end(End end) throws InterruptedException {
        if (end == End.REACTOR) {
            Thread closing = new Thread(reactor::close);
            closing.start();
            release.countDown();
            closing.join(PATIENCE_MS);
        } else {
            group.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
            Await.until("the group has ended by its time-out", group::isShutdown);
            release.countDown();
        }
    }

    private void assertNothingIsLeft() {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        Await.until("no strand is left", () -> !group.iterator().hasNext());
        if (reactor != null) {
            reactor.close();
        }
    }

    private static void assertDone(List<? extends Future<?>> futures) {
        for (int i = 0; i < futures.size(); i++) {
            int number = i;
            assertTrue(futures.get(i).awaitUninterruptibly(PATIENCE_MS), () -> number + " is lost");
        }
    }

    /** Names of the events from the end of the channel. */
    private static final class Ends extends ChannelInboundHandlerAdapter {
        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            seen.add("inactive");
        }

        @Override
        public void channelUnregistered(ChannelHandlerContext context) {
            seen.add("unregistered");
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            seen.add("removed");
        }
    }

    private static Stream<Arguments> ends() {
        return Stream.of(End.values())
                .flatMap(end -> Stream.of("epoll", "iouring").map(backend -> Arguments.of(end, backend)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void promisesOfAChannelAreCompletedAndItsEndIsSeen(End end, String backend) throws Exception {
        start(end, backend);
        Ends handler = new Ends();
        List<Future<?>> futures = new ArrayList<>();
        ByteBuf unflushed = Unpooled.buffer().writeByte(1);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = new Bootstrap()
                    .group(group)
                    .channel(CabrankSocketChannel.class)
                    .handler(handler)
                    .connect(silent.getLocalSocketAddress())
                    .syncUninterruptibly()
                    .channel();
            EventLoop loop = channel.eventLoop();
            futures.add(channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[MUCH])));
            futures.add(loop.schedule(() -> {}, 1, TimeUnit.HOURS));
            futures.add(channel.closeFuture());
            futures.add(loop.terminationFuture());
            block(loop);
            futures.add(loop.schedule(() -> {}, 1, TimeUnit.HOURS));
            futures.add(channel.write(unflushed));
            futures.add(loop.submit(() -> {}));
            CompletableFuture<Future<?>> inside = new CompletableFuture<>();
            futures.add(loop.submit(() -> inside.complete(loop.schedule(() -> {}, 1, TimeUnit.HOURS))));
            end(end);
            assertDone(futures);
            assertDone(List.of(inside.join()));
            assertTrue(inside.join().isCancelled());
        }
        assertNotNull(futures.get(0).cause());
        assertTrue(futures.get(1).isCancelled() && futures.get(4).isCancelled());
        assertEquals(0, unflushed.refCnt());
        Await.until("the end is seen", () -> handler.seen.size() == 3);
        assertEquals(List.of("inactive", "unregistered", "removed"), List.copyOf(handler.seen));
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void taskThatWasScheduledBehindABlockedTaskIsCancelled(End end) throws Exception {
        start(end, "epoll");
        EventLoop loop = group.next();
        block(loop);
        Future<?> scheduled = loop.schedule(() -> {}, 1, TimeUnit.HOURS);
        end(end);
        assertDone(List.of(scheduled));
        assertTrue(scheduled.isCancelled());
        assertNothingIsLeft();
    }

    /** Leaves the resolution of a name to the test. */
    private static final class LateResolver extends AddressResolverGroup<InetSocketAddress> {
        private final CompletableFuture<Promise<InetAddress>> asked = new CompletableFuture<>();

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new InetNameResolver(executor) {
                @Override
                protected void doResolve(String name, Promise<InetAddress> address) {
                    asked.complete(address);
                }

                @Override
                protected void doResolveAll(String name, Promise<List<InetAddress>> addresses) {
                    throw new AssertionError("one address is enough");
                }
            }.asAddressResolver();
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectFailsIfItsNameIsResolvedAfterTheEnd(End end) throws Exception {
        start(end, "epoll");
        LateResolver resolver = new LateResolver();
        ChannelFuture connect = new Bootstrap()
                .group(group)
                .channel(CabrankSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .resolver(resolver)
                .connect("late.test", 1);
        Promise<InetAddress> address = resolver.asked.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        end(end);
        assertNothingIsLeft();
        address.setSuccess(InetAddress.getLoopbackAddress());
        assertDone(List.of(connect, connect.channel().closeFuture()));
        assertNotNull(connect.cause());
    }

    /** From a thread outside, as a service does that still has the channel. */
    @ParameterizedTest
    @EnumSource
    void operationsAfterTheEndAreCompleted(End end) throws Exception {
        start(end, "epoll");
        CabrankSocketChannel channel = new CabrankSocketChannel();
        CabrankDatagramChannel datagrams = new CabrankDatagramChannel();
        group.register(channel).syncUninterruptibly();
        group.register(datagrams).syncUninterruptibly();
        end(end);
        assertNothingIsLeft();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        ByteBuf written = Unpooled.buffer().writeByte(1);
        List<Supplier<ChannelFuture>> operations = List.of(
                () -> channel.bind(address),
                () -> channel.connect(address),
                () -> channel.writeAndFlush(written),
                channel::shutdownOutput,
                channel::shutdownInput,
                channel::shutdown,
                () -> datagrams.joinGroup(InetAddress.getLoopbackAddress()),
                () -> datagrams.leaveGroup(InetAddress.getLoopbackAddress()));
        for (int i = 0; i < operations.size(); i++) {
            ChannelFuture operation = operations.get(i).get();
            assertDone(List.of(operation));
            assertNotNull(operation.cause(), i + " has succeeded");
        }
        assertEquals(0, written.refCnt());
        assertDone(List.of(channel.disconnect(), channel.close(), channel.deregister()));
        channel.config().setAutoRead(false);
        channel.config().setAutoRead(true);
        assertFalse(channel.isOpen());
    }

    /** The end waits for a handler that does not return, and then goes on without it. */
    @Test
    void operationsAreCompletedWhileAHandlerOfAnotherChannelIsStuck() throws Exception {
        group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(builder -> builder.backend(Backend.named("epoll"))
                        .shards(1)
                        .threadsPerShard(2)
                        .drainTimeout(Duration.ofMillis(1))
                        .handlerTimeout(Duration.ofMillis(1)))
                .build();
        CabrankSocketChannel channel = new CabrankSocketChannel();
        group.register(channel).syncUninterruptibly();
        EventLoop stuck = group.next();
        block(stuck);
        assertTrue(group.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        CompletableFuture<Boolean> notified = new CompletableFuture<>();
        ChannelFuture write = channel.write(Unpooled.EMPTY_BUFFER);
        write.addListener(done -> notified.complete(true));
        assertDone(List.of(channel.closeFuture(), write));
        assertTrue(notified.get(PATIENCE_MS, TimeUnit.MILLISECONDS));
        release.countDown();
        assertTrue(stuck.terminationFuture().awaitUninterruptibly(PATIENCE_MS));
    }
}
