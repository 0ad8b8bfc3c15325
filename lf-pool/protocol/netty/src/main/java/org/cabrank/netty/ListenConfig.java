package org.cabrank.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.util.Map;
import org.cabrank.kernel.Sockets;

final class ListenConfig extends SocketConfig implements ServerSocketChannelConfig {
    private volatile int backlog = Sockets.SOMAXCONN;

    ListenConfig(AbstractCabrankChannel channel, Map<ChannelOption<?>, KernelOption<?>> options) {
        super(channel, options, new ServerChannelRecvByteBufAllocator());
        setReuseAddress(true);
    }

    @Override
    public int getBacklog() {
        return backlog;
    }

    @Override
    public ListenConfig setBacklog(int connections) {
        if (connections < 0) {
            throw new IllegalArgumentException("the backlog must be at least 0, but is " + connections);
        }
        backlog = connections;
        return this;
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(super.getOptions(), ChannelOption.SO_BACKLOG);
    }

    @Override
    @SuppressWarnings("unchecked") // by the option
    public <T> T getOption(ChannelOption<T> option) {
        return option == ChannelOption.SO_BACKLOG ? (T) Integer.valueOf(backlog) : super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (option != ChannelOption.SO_BACKLOG) {
            return super.setOption(option, value);
        }
        validate(option, value);
        setBacklog((Integer) value);
        return true;
    }

    @Override
    public boolean isReuseAddress() {
        return getOption(ChannelOption.SO_REUSEADDR);
    }

    @Override
    public ListenConfig setReuseAddress(boolean value) {
        setOption(ChannelOption.SO_REUSEADDR, value);
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return getOption(ChannelOption.SO_RCVBUF);
    }

    @Override
    public ListenConfig setReceiveBufferSize(int value) {
        setOption(ChannelOption.SO_RCVBUF, value);
        return this;
    }

    /** Has no effect, because the kernel has no option for this. */
    @Override
    public ListenConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    @Override
    public ListenConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public ListenConfig setMaxMessagesPerRead(int count) {
        super.setMaxMessagesPerRead(count);
        return this;
    }

    @Override
    public ListenConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public ListenConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public ListenConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public ListenConfig setAutoRead(boolean wanted) {
        super.setAutoRead(wanted);
        return this;
    }

    @Override
    public ListenConfig setAutoClose(boolean wanted) {
        super.setAutoClose(wanted);
        return this;
    }

    @Override
    public ListenConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public ListenConfig setWriteBufferWaterMark(WriteBufferWaterMark mark) {
        super.setWriteBufferWaterMark(mark);
        return this;
    }

    @Override
    public ListenConfig setWriteBufferHighWaterMark(int bytes) {
        super.setWriteBufferHighWaterMark(bytes);
        return this;
    }

    @Override
    public ListenConfig setWriteBufferLowWaterMark(int bytes) {
        super.setWriteBufferLowWaterMark(bytes);
        return this;
    }
}
