package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connects by host name. Netty's resolver groups keep a resolver for each event loop until its {@code terminationFuture} is completed, and
 * here each channel has an event loop. With {@code cabrank.soak.seconds} a million connects, half of them over each backend.
 */
class ConnectByNameTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();
    private static final int CONNECTS = Long.getLong(NettySuite.SOAK) == null ? 600 : 500_000;
    private static final int UNDER_WAY_MAX = 64;

    /** Connects after which a strand is watched until it is collected. */
    private static final int WATCHED_EACH = CONNECTS > 600 ? 100 : 1;

    /** Some listeners block, so that followers take over and harvest events. */
    private static final int BLOCKS_EACH = 50;

    private static final long BLOCKED_NS = 10_000_000;

    @Sharable
    private static final class Silent extends ChannelInboundHandlerAdapter {}

    /** Netty's resolver group, with a count of the resolvers that it keeps. */
    private static final class CountedResolvers extends AddressResolverGroup<InetSocketAddress> {
        private final AtomicInteger made = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            made.incrementAndGet();
            kept.incrementAndGet();
            return new InetSocketAddressResolver(executor, new DefaultNameResolver(executor)) {
                @Override
                public void close() {
                    kept.decrementAndGet();
                    super.close();
                }
            };
        }
    }

    /** Every second is refused. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void noResolverAndNoStrandIsKept(String backend) throws Exception {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(2).threadsPerShard(2))
                .build();
        CountedResolvers resolvers = new CountedResolvers();
        Queue<WeakReference<Object>> strands = new ConcurrentLinkedQueue<>();
        Semaphore room = new Semaphore(UNDER_WAY_MAX);
        AtomicInteger connected = new AtomicInteger();
        CabrankServerSocketChannel listening = new CabrankServerSocketChannel();
        listening.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object accepted) {
                ((Channel) accepted).unsafe().closeForcibly();
            }
        });
        group.register(listening).syncUninterruptibly();
        InetSocketAddress anyPort = new InetSocketAddress("localhost", 0);
        listening.bind(anyPort).syncUninterruptibly();
        int port = listening.localAddress().getPort();
        Socket refusing = new Socket(); // bound, so that no other process listens there
        refusing.bind(anyPort);
        Bootstrap client = new Bootstrap()
                .group(group)
                .channel(CabrankSocketChannel.class)
                .resolver(resolvers)
                .option(ChannelOption.SO_LINGER, 0) // no port waits after the close
                .handler(new Silent());
        for (int i = 0; i < CONNECTS; i++) {
            assertTrue(room.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS));
            ChannelFuture connect = client.connect("localhost", i % 2 == 0 ? port : refusing.getLocalPort());
            connect.addListener(done -> {
                connected.addAndGet(done.isSuccess() ? 1 : 0);
                if (connected.get() % BLOCKS_EACH == 0) {
                    LockSupport.parkNanos(BLOCKED_NS);
                }
                connect.channel().close();
            });
            connect.channel().closeFuture().addListener(closed -> room.release());
            if (i % WATCHED_EACH == 0) {
                strands.add(new WeakReference<>(connect.channel().eventLoop()));
            }
        }
        assertTrue(room.tryAcquire(UNDER_WAY_MAX, PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEquals(CONNECTS / 2, connected.get());
        assertEquals(CONNECTS, resolvers.made.get());
        Await.until("no resolver is kept", () -> resolvers.kept.get() == 0);
        Await.until("the strands are collected", () -> {
            System.gc();
            return strands.stream().allMatch(strand -> strand.refersTo(null));
        });
        resolvers.close();
        refusing.close();
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }
}
