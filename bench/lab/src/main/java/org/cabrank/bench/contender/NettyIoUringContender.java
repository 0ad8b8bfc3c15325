package org.cabrank.bench.contender;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

final class NettyIoUringContender implements Contender {

    private final NettyLoops loops;

    private NettyIoUringContender(NettyLoops loops) {
        this.loops = loops;
    }

    static Contender single() {
        return new NettyIoUringContender(NettyLoops.ONE);
    }

    static Contender loops() {
        return new NettyIoUringContender(NettyLoops.SEVERAL);
    }

    private static final short BUFFER_GROUP = 0;
    private static final short BUFFERS = 1_024;
    private static final int BUFFER_BYTES = 16 * 1_024;

    @Override
    public String name() {
        return loops.name("netty-iouring");
    }

    @Override
    public boolean serves(Protocol protocol) {
        return protocol.connects() || protocol == Protocol.DATAGRAMS && loops == NettyLoops.ONE;
    }

    @Override
    public List<String> tuning() {
        return Stream.concat(
                        loops.tuning().stream(),
                        Stream.of(
                                "one ring per event loop, single issuer with deferred task running",
                                "multishot accept and recv",
                                "recv into a ring of provided buffers (IO_URING_BUFFER_GROUP_ID)",
                                NettyDatagrams.TUNING,
                                ContenderSockets.DATAGRAM_TUNING))
                .toList();
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return NettyJvmFlags.of(feature);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        if (!IoUring.isAvailable()) {
            throw NettyTransport.unavailable("io_uring", IoUring.unavailabilityCause());
        }
        if (!settings.protocol().connects()) {
            return NettyDatagrams.start(
                    IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setSingleIssuer(true)),
                    IoUringDatagramChannel.class,
                    IoUringChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE,
                    null,
                    settings.work());
        }
        return NettyServer.start(transport(), settings, loops.count(settings));
    }

    private static NettyTransport transport() {
        IoUringIoHandlerConfig config = new IoUringIoHandlerConfig().setSingleIssuer(true);
        String description = IoUringServerSocketChannel.class.getSimpleName()
                + (IoUring.isAcceptMultishotEnabled() ? ", multishot accept" : "")
                + (IoUring.isRecvMultishotEnabled() ? ", multishot recv" : "");
        if (!IoUring.isRegisterBufferRingSupported()) {
            return transport(config, Map.of(), description + ", no buffer ring (needs Linux 5.19)");
        }
        // An incremental buffer receives several messages until it is full. This is Netty's default if the kernel
        // supports it.
        boolean incremental = IoUring.isRegisterBufferRingIncSupported();
        config.setBufferRingConfig(IoUringBufferRingConfig.builder()
                .bufferGroupId(BUFFER_GROUP)
                .bufferRingSize(BUFFERS)
                .batchSize(BUFFERS / 2)
                .incremental(incremental)
                .allocator(new IoUringFixedBufferRingAllocator(PooledByteBufAllocator.DEFAULT, BUFFER_BYTES))
                .build());
        return transport(
                config,
                Map.of(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, BUFFER_GROUP),
                description + ", " + BUFFERS + " buffers of " + BUFFER_BYTES + " B"
                        + (incremental ? ", incremental" : ""));
    }

    private static NettyTransport transport(
            IoUringIoHandlerConfig config, Map<ChannelOption<Short>, Short> options, String description) {
        return new NettyTransport(
                NettyTransport.groups(IoUringIoHandler.newFactory(config)),
                IoUringServerSocketChannel.class,
                options,
                description);
    }
}
