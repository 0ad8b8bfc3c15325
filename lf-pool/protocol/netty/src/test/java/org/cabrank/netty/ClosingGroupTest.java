package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group, or the reactor below it, that ends or has ended: each promise is completed, and no call throws. */
class ClosingGroupTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int ROUNDS = 10;
    private static final int ATTEMPTS = 40;

    private static CabrankEventLoopGroup start(String backend) {
        return CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(2))
                .build();
    }

    private static CabrankEventLoopGroup ended(boolean byTheReactor) throws Exception {
        if (!byTheReactor) {
            CabrankEventLoopGroup group = start("epoll");
            end(group);
            return group;
        }
        StreamReactor reactor = StreamReactor.builder()
                .backend(Backend.named("epoll"))
                .shards(1)
                .start();
        CabrankEventLoopGroup group = CabrankEventLoopGroup.over(reactor);
        reactor.close();
        return group;
    }

    private static void end(CabrankEventLoopGroup group) {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }

    private static Bootstrap client(CabrankEventLoopGroup group) {
        return new Bootstrap()
                .group(group)
                .channel(CabrankSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter());
    }

    /** Listens in {@code group}, and gives the accepted channels to the handler, unregistered. */
    private static Channel listen(CabrankEventLoopGroup group, ChannelHandler accepted) {
        CabrankServerSocketChannel listening = new CabrankServerSocketChannel();
        listening.pipeline().addLast(accepted);
        group.register(listening).syncUninterruptibly();
        return listening.bind(ANY_PORT).syncUninterruptibly().channel();
    }

    private static void assertFails(ChannelFuture future) {
        assertTrue(future.awaitUninterruptibly(PATIENCE_MS));
        assertNotNull(future.cause());
        assertTrue(future.channel().closeFuture().awaitUninterruptibly(PATIENCE_MS));
        assertFalse(future.channel().isActive());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bindAndConnectFailAfterTheEnd(boolean byTheReactor) throws Exception {
        CabrankEventLoopGroup group = ended(byTheReactor);
        assertFails(client(group).connect(ANY_PORT));
        assertFails(new Bootstrap()
                .group(group)
                .channel(CabrankDatagramChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .bind(ANY_PORT));
        assertFails(new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(new ChannelInboundHandlerAdapter())
                .bind(ANY_PORT));
        end(group);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void registrationOfAConnectionFailsAfterTheEnd(boolean byTheReactor) throws Exception {
        CabrankEventLoopGroup closed = ended(byTheReactor);
        CabrankEventLoopGroup group = start("epoll");
        CompletableFuture<ChannelFuture> registration = new CompletableFuture<>();
        Channel listening = listen(group, new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object child) {
                try {
                    registration.complete(closed.register((Channel) child));
                } catch (Throwable thrown) {
                    registration.completeExceptionally(thrown);
                }
            }
        });
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            assertFails(registration.get(PATIENCE_MS, TimeUnit.MILLISECONDS));
            assertTrue(client.getInputStream().read() < 0);
        }
        end(closed);
        end(group);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void attemptsDuringTheEndAreCompleted(String backend) throws Exception {
        CabrankEventLoopGroup servers = start(backend);
        Channel listening = listen(servers, new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object child) {
                ((Channel) child).unsafe().closeForcibly();
            }
        });
        for (int i = 0; i < ROUNDS; i++) {
            CabrankEventLoopGroup group = start(backend);
            Queue<ChannelFuture> attempts = new ConcurrentLinkedQueue<>();
            Thread connecting = new Thread(() -> {
                for (int j = 0; j < ATTEMPTS; j++) {
                    attempts.add(client(group).connect(listening.localAddress()));
                }
            });
            connecting.start();
            end(group);
            connecting.join(PATIENCE_MS);
            assertFalse(connecting.isAlive());
            for (ChannelFuture each : attempts) {
                assertTrue(each.awaitUninterruptibly(PATIENCE_MS), each::toString);
                assertTrue(each.channel().closeFuture().awaitUninterruptibly(PATIENCE_MS), each::toString);
            }
        }
        end(servers);
    }

    @Test
    void listenersAreCalledAfterTheEnd() {
        CabrankEventLoopGroup group = start("epoll");
        ChannelFuture registered = group.register(new CabrankSocketChannel()).awaitUninterruptibly();
        end(group);
        for (ChannelFuture each : List.of(
                registered,
                registered.channel().closeFuture(),
                registered.channel().write("dropped"))) {
            CompletableFuture<Boolean> called = new CompletableFuture<>();
            each.addListener(done -> called.complete(true));
            assertTrue(called.orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS).join());
        }
        assertThrows(
                RejectedExecutionException.class,
                () -> registered.channel().eventLoop().execute(() -> {}));
    }

    @Test
    void groupWaitsForAChannelWhoseRegistrationIsUnderWay() {
        CabrankEventLoopGroup group = start("epoll");
        CabrankSocketChannel channel = new CabrankSocketChannel();
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRegistered(ChannelHandlerContext context) throws Exception {
                group.shutdownGracefully(0, PATIENCE_MS, TimeUnit.MILLISECONDS);
                assertFalse(group.awaitTermination(200, TimeUnit.MILLISECONDS));
            }
        });
        group.register(channel);
        assertTrue(channel.closeFuture().awaitUninterruptibly(PATIENCE_MS));
        assertTrue(group.terminationFuture().awaitUninterruptibly(PATIENCE_MS));
    }

    @Test
    void tasksOfAStrandWhoseReactorHasEndedRunInTheCaller() throws Exception {
        CabrankEventLoopGroup group = ended(true);
        assertTrue(group.next().submit(() -> {}).isDone());
        end(group);
        assertFalse(group.iterator().hasNext());
    }
}
