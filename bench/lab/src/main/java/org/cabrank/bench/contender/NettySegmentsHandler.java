package org.cabrank.bench.contender;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetSocketAddress;
import org.cabrank.bench.handler.HandlerWork;

/** Sends consecutive datagrams of the same flow and size as one message, which the kernel cuts into datagrams again. */
final class NettySegmentsHandler extends NettyDatagrams.NettyDatagramHandler {

    /** Every kernel with UDP_SEGMENT accepts this number of segments in a message. */
    private static final int SEGMENTS_MAX = 64;

    /** A message with its headers must fit into one IPv4 packet. */
    private static final int BYTES_MAX = 65_000;

    /** Datagrams that wait to be sent. Null if no datagram waits. */
    private ByteBuf content;

    private InetSocketAddress peer;
    private int segmentBytes;
    private int segments;

    NettySegmentsHandler(HandlerWork work) {
        super(work);
    }

    @Override
    void answer(ChannelHandlerContext context, DatagramPacket packet) {
        int bytes = packet.content().readableBytes();
        if (content != null && !fits(packet, bytes)) {
            write(context);
        }
        add(context, packet);
        if (bytes < segmentBytes) { // only the last segment may be shorter
            write(context);
        }
    }

    private boolean fits(DatagramPacket packet, int bytes) {
        return bytes > 0
                && bytes <= segmentBytes
                && segments < SEGMENTS_MAX
                && content.readableBytes() + bytes <= BYTES_MAX
                && packet.sender().equals(peer);
    }

    private void add(ChannelHandlerContext context, DatagramPacket packet) {
        if (content == null) {
            content = packet.content();
            peer = packet.sender();
            segmentBytes = content.readableBytes();
            segments = 1;
            return;
        }
        if (segments == 1) {
            CompositeByteBuf several = context.alloc().compositeDirectBuffer(SEGMENTS_MAX);
            content = several.addComponent(true, content);
        }
        ((CompositeByteBuf) content).addComponent(true, packet.content());
        segments++;
    }

    private void write(ChannelHandlerContext context) {
        context.write(
                segments == 1
                        ? new DatagramPacket(content, peer)
                        : new SegmentedDatagramPacket(content, segmentBytes, peer),
                context.voidPromise());
        content = null;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (content != null) {
            write(context);
        }
        context.flush();
    }
}
