package org.cabrank.bench.contender;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.HandlerWork;

/**
 * Netty as a server of datagrams, with one event loop. The settings follow the Javadoc of {@code
 * EpollDatagramChannelConfig.setMaxDatagramPayloadSize}, and Netty's own tests of scattering reads and of segments.
 */
record NettyDatagrams(Channel channel, EventLoopGroup group, String details) implements RunningServer {

    static final String TUNING = "datagrams: MAX_DATAGRAM_PAYLOAD_SIZE " + ContenderSockets.DATAGRAM_BYTES
            + ", FixedRecvByteBufAllocator of " + ContenderSockets.DATAGRAM_BATCH
            + " of them, write with the void promise, flush on readComplete";

    static final String SEGMENTS_TUNING = "datagrams in segments: UDP_GRO, FixedRecvByteBufAllocator of "
            + ContenderSockets.JOINED_BYTES
            + " for recvmsg, a SegmentedDatagramPacket for consecutive datagrams of one flow and size";

    /** {@code joined} makes the kernel join datagrams. If it is null, {@code payload} turns on recvmmsg. */
    static RunningServer start(
            IoHandlerFactory handlers,
            Class<? extends DatagramChannel> type,
            ChannelOption<Integer> payload,
            ChannelOption<Boolean> joined,
            HandlerWork work)
            throws IOException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, handlers);
        int bytes = joined == null
                ? ContenderSockets.DATAGRAM_BATCH * ContenderSockets.DATAGRAM_BYTES
                : ContenderSockets.JOINED_BYTES;
        Bootstrap server = new Bootstrap()
                .group(group)
                .channel(type)
                .option(ChannelOption.SO_RCVBUF, ContenderSockets.DATAGRAM_RECEIVE_BYTES)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(bytes))
                .handler(joined == null ? new NettyDatagramHandler(work) : new NettySegmentsHandler(work));
        if (joined == null) {
            server.option(payload, ContenderSockets.DATAGRAM_BYTES);
        } else {
            server.option(joined, true); // no recvmmsg: with it Netty cannot separate joined datagrams
        }
        ChannelFuture bound = server.bind(ContenderSockets.anyPort()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            shutDown(group);
            throw new IOException("Netty could not bind: " + bound.cause(), bound.cause());
        }
        return new NettyDatagrams(bound.channel(), group, type.getSimpleName() + (joined == null ? "" : ", UDP_GRO"));
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        shutDown(group);
    }

    private static void shutDown(EventLoopGroup group) {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    static class NettyDatagramHandler extends ChannelInboundHandlerAdapter {

        private final HandlerWork work;

        NettyDatagramHandler(HandlerWork work) {
            this.work = work;
        }

        @Override
        public final void channelRead(ChannelHandlerContext context, Object message) {
            work.perform();
            answer(context, (DatagramPacket) message);
        }

        void answer(ChannelHandlerContext context, DatagramPacket packet) {
            context.write(new DatagramPacket(packet.content(), packet.sender()), context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // A datagram that the kernel refuses is lost.
        }
    }
}
