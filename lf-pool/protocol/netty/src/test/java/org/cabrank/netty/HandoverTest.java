package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.handover.HandedListener;
import org.cabrank.handover.Handover;
import org.cabrank.handover.Predecessor;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listening sockets of Netty channels that one process hands to the next. */
class HandoverTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    /** Greets a client with a letter. */
    @Sharable
    private static final class Greeting extends ChannelInboundHandlerAdapter {
        private final char letter;

        Greeting(char letter) {
            this.letter = letter;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.writeAndFlush(context.alloc().buffer().writeByte(letter));
        }
    }

    private static CabrankEventLoopGroup start(String backend) {
        return CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(2))
                .build();
    }

    private static ServerBootstrap server(CabrankEventLoopGroup group, char letter) {
        return new ServerBootstrap().group(group).childHandler(new Greeting(letter));
    }

    private static void end(CabrankEventLoopGroup group) {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }

    private static int greeting(InetSocketAddress server) throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            return socket.getInputStream().read();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void successorServesEachClientThatThePredecessorDoesNot(String backend, @TempDir Path directory) throws Exception {
        Handover handover = Handover.at(directory.resolve("handover"));
        CabrankEventLoopGroup former = start(backend);
        CabrankServerSocketChannel listening = (CabrankServerSocketChannel) server(former, 'a')
                .channel(CabrankServerSocketChannel.class)
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        InetSocketAddress address = listening.localAddress();
        CountDownLatch drained = new CountDownLatch(1);
        handover.offer(() -> List.of(new HandedListener(address.toString(), new int[] {listening.share()})), () -> {
            end(former);
            drained.countDown();
        });
        Map<Integer, Integer> greetings = new ConcurrentHashMap<>();
        AtomicReference<IOException> refused = new AtomicReference<>();
        Thread clients = new Thread(() -> {
            try {
                while (greetings.getOrDefault((int) 'b', 0) < 100) {
                    greetings.merge(greeting(address), 1, Integer::sum);
                }
            } catch (IOException failed) {
                refused.set(failed);
            }
        });
        clients.start();
        Await.until("the predecessor serves", () -> greetings.containsKey((int) 'a'));
        CabrankEventLoopGroup next = start(backend);
        try (Predecessor old = handover.predecessor()) {
            int descriptor = old.takeDescriptors()[0];
            Channel successor = server(next, 'b')
                    .channelFactory(() -> new CabrankServerSocketChannel(descriptor))
                    .register()
                    .syncUninterruptibly()
                    .channel();
            assertEquals(address, successor.localAddress());
            assertTrue(old.replace());
        }
        assertTrue(drained.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        clients.join(PATIENCE_MS);
        assertEquals(null, refused.get());
        assertEquals(100, greetings.get((int) 'b'));
        end(next);
    }

    /** Each task shares an event of the handle with a post that the channel may have made to look for connections again. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void channelStopsAcceptingIfAnotherProcessEndsTheListening(String backend) {
        int tasks = 100;
        CabrankEventLoopGroup group = start(backend);
        AtomicInteger failures = new AtomicInteger();
        CabrankServerSocketChannel listening = new CabrankServerSocketChannel();
        listening.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                failures.incrementAndGet();
            }
        });
        group.register(listening).syncUninterruptibly();
        listening
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly();
        int duplicate = listening.share();
        assertEquals(0, ChannelSocket.KERNEL.shutdown(duplicate, Sockets.SHUT_RDWR));
        Await.until("the channel has failed to accept", () -> failures.get() > 0);
        for (int i = 0; i < tasks; i++) {
            listening.eventLoop().submit(() -> {}).syncUninterruptibly();
        }
        assertTrue(failures.get() < tasks / 10, failures::toString);
        ChannelSocket.KERNEL.close(duplicate);
        end(group);
    }

    @Test
    void descriptorThatDoesNotListenIsRefused() {
        CabrankServerSocketChannel unbound = new CabrankServerSocketChannel();
        int descriptor = unbound.share();
        ChannelException refused =
                assertThrows(ChannelException.class, () -> new CabrankServerSocketChannel(descriptor));
        assertTrue(refused.getMessage().contains("does not listen"), refused::getMessage);
        ChannelSocket.KERNEL.close(descriptor);
        unbound.unsafe().closeForcibly();
    }
}
