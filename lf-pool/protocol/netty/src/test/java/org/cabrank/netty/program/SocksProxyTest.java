package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.socksx.v5.DefaultSocks5CommandResponse;
import io.netty.handler.codec.socksx.v5.DefaultSocks5InitialResponse;
import io.netty.handler.codec.socksx.v5.Socks5AddressType;
import io.netty.handler.codec.socksx.v5.Socks5AuthMethod;
import io.netty.handler.codec.socksx.v5.Socks5CommandRequest;
import io.netty.handler.codec.socksx.v5.Socks5CommandRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5CommandStatus;
import io.netty.handler.codec.socksx.v5.Socks5InitialRequest;
import io.netty.handler.codec.socksx.v5.Socks5InitialRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5ServerEncoder;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.proxy.Socks5ProxyHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A SOCKS 5 proxy whose outbound channel shares the event loop of the inbound one, and reads as the other has room. */
class SocksProxyTest extends ProgramContract {
    private static final int CONNECTIONS = 8;
    private static final int BYTES = 1_000_000;

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Queue<Channel> outbound = new ConcurrentLinkedQueue<>();

    private ServerBootstrap server() {
        return new ServerBootstrap().group(group).channel(transport.listening());
    }

    private InetSocketAddress echo() {
        return addressOf(done(server().childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Relay(channel, channel));
                    }
                })
                .bind(loopback())));
    }

    private InetSocketAddress proxy() {
        return addressOf(done(server().childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(Socks5ServerEncoder.DEFAULT, new Socks5InitialRequestDecoder(), new Shaking());
                    }
                })
                .bind(loopback())));
    }

    /** Accepts every request, and becomes a pair of relays. */
    private final class Shaking extends SimpleChannelInboundHandler<Object> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, Object message) {
            if (message instanceof Socks5InitialRequest) {
                context.pipeline().replace(Socks5InitialRequestDecoder.class, null, new Socks5CommandRequestDecoder());
                context.writeAndFlush(new DefaultSocks5InitialResponse(Socks5AuthMethod.NO_AUTH));
            } else if (message instanceof Socks5CommandRequest request) {
                context.channel().config().setAutoRead(false);
                connect(context, new InetSocketAddress(request.dstAddr(), request.dstPort()));
            }
        }

        private void connect(ChannelHandlerContext context, InetSocketAddress to) {
            Channel inbound = context.channel();
            new Bootstrap()
                    .group(inbound.eventLoop())
                    .channel(transport.connection())
                    .option(ChannelOption.AUTO_READ, false)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(to)
                    .addListener((ChannelFutureListener) connected -> answer(context, connected));
        }

        private void answer(ChannelHandlerContext context, ChannelFuture connected) {
            Channel inbound = context.channel();
            if (!inbound.eventLoop().inEventLoop() || connected.channel().eventLoop() != inbound.eventLoop()) {
                wrong.add("another event loop");
            }
            if (!inbound.isActive()) { // the client has gone meanwhile
                connected.channel().close();
                return;
            }
            boolean success = connected.isSuccess();
            inbound.writeAndFlush(new DefaultSocks5CommandResponse(
                    success ? Socks5CommandStatus.SUCCESS : Socks5CommandStatus.CONNECTION_REFUSED,
                    Socks5AddressType.IPv4));
            if (!success) {
                inbound.close();
                return;
            }
            context.pipeline().remove(Socks5CommandRequestDecoder.class);
            context.pipeline().remove(Socks5ServerEncoder.class);
            context.pipeline().replace(this, null, new Relay(inbound, connected.channel()));
            connected.channel().pipeline().addLast(new Relay(connected.channel(), inbound));
            outbound.add(connected.channel());
            connected.channel().closeFuture().addListener(closed -> outbound.remove(connected.channel()));
            inbound.config().setAutoRead(true);
            connected.channel().config().setAutoRead(true);
        }
    }

    /** Writes to {@code to} what {@code from} reads, and stops reading while {@code to} is full. */
    private final class Relay extends ChannelInboundHandlerAdapter {
        private final Channel from;
        private final Channel to;

        Relay(Channel from, Channel to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!to.eventLoop().inEventLoop()) {
                wrong.add("not in the event loop of the other channel");
            }
            to.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            to.flush();
            if (!to.isWritable()) {
                from.config().setAutoRead(false);
                to.write(Unpooled.EMPTY_BUFFER)
                        .addListener(room -> from.config().setAutoRead(true));
                to.flush();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            from.close();
        }
    }

    private Channel connect(InetSocketAddress proxy, InetSocketAddress target, ChannelInboundHandlerAdapter handler) {
        return new Bootstrap()
                .group(group)
                .channel(transport.connection())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Socks5ProxyHandler(proxy), handler);
                    }
                })
                .connect(target)
                .awaitUninterruptibly()
                .channel();
    }

    private static final class Received extends SimpleChannelInboundHandler<ByteBuf> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(BYTES);
        private final CompletableFuture<byte[]> all = new CompletableFuture<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf data) throws IOException {
            data.readBytes(bytes, data.readableBytes());
            if (bytes.size() >= BYTES) {
                all.complete(bytes.toByteArray());
            }
        }
    }

    @Test
    void bytesComeBackThroughTheProxy() throws Exception {
        InetSocketAddress target = echo();
        InetSocketAddress proxy = proxy();
        List<Channel> clients = new ArrayList<>();
        List<Received> received = new ArrayList<>();
        byte[] bytes = new byte[BYTES];
        new Random(1).nextBytes(bytes);
        for (int i = 0; i < CONNECTIONS; i++) {
            received.add(new Received());
            clients.add(connect(proxy, target, received.get(i)));
            clients.get(i).writeAndFlush(Unpooled.wrappedBuffer(bytes));
        }
        for (Received each : received) {
            assertArrayEquals(bytes, result(each.all));
        }
        assertEquals(List.of(), List.copyOf(wrong));
        clients.forEach(Channel::close);
        Await.until("the proxy has closed its side", outbound::isEmpty);
    }

    @Test
    void resetOfTheClientClosesTheOutboundChannel() {
        Channel client = connect(proxy(), echo(), new ChannelInboundHandlerAdapter());
        client.config().setOption(ChannelOption.SO_LINGER, 0);
        Await.until("the proxy has connected", () -> outbound.size() == 1);
        done(client.close());
        Await.until("the proxy has closed its side", outbound::isEmpty);
    }

    @Test
    void refusedTargetIsReported() throws Exception {
        InetSocketAddress target = echo();
        InetSocketAddress nobody = new InetSocketAddress(target.getAddress(), 1);
        CountDownLatch refused = new CountDownLatch(1);
        connect(proxy(), nobody, new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                if (cause instanceof ProxyConnectException) {
                    refused.countDown();
                }
            }
        });
        assertTrue(refused.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
    }

    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void loadWithResetsSlowReadersAndBlockingLeavesNothing() throws Exception {
        InetSocketAddress target = echo();
        InetSocketAddress proxy = proxy();
        load(random -> {
            reset(proxy, new byte[] {5});
            byte[] bytes = new byte[BYTES];
            random.nextBytes(bytes);
            Received all = new Received();
            Channel client = connect(proxy, target, all);
            client.writeAndFlush(Unpooled.copiedBuffer(bytes));
            if (random.nextBoolean()) {
                client.eventLoop().execute(ProgramContract::block);
                client.config().setAutoRead(false);
                block();
                client.config().setAutoRead(true);
            }
            assertArrayEquals(bytes, result(all.all));
            client.config().setOption(ChannelOption.SO_LINGER, random.nextInt(2) - 1);
            done(client.close());
            Channel cut = connect(proxy, target, new Received());
            cut.config().setOption(ChannelOption.SO_LINGER, 0);
            cut.writeAndFlush(Unpooled.copiedBuffer(bytes));
            done(cut.close());
        });
        assertEquals(List.of(), List.copyOf(wrong));
        awaitStrands(2);
    }
}
