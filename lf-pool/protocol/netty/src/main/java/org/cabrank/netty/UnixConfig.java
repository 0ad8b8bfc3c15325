package org.cabrank.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DuplexChannelConfig;
import java.util.Map;

final class UnixConfig extends SocketConfig implements DuplexChannelConfig {
    private volatile boolean allowHalfClosure;

    UnixConfig(CabrankDomainSocketChannel channel) {
        super(channel, KernelOption.UNIX);
    }

    @Override
    public boolean isAllowHalfClosure() {
        return allowHalfClosure;
    }

    @Override
    public UnixConfig setAllowHalfClosure(boolean wanted) {
        allowHalfClosure = wanted;
        return this;
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(super.getOptions(), ChannelOption.ALLOW_HALF_CLOSURE);
    }

    @Override
    @SuppressWarnings("unchecked") // by the option
    public <T> T getOption(ChannelOption<T> option) {
        return option == ChannelOption.ALLOW_HALF_CLOSURE
                ? (T) Boolean.valueOf(allowHalfClosure)
                : super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (option != ChannelOption.ALLOW_HALF_CLOSURE) {
            return super.setOption(option, value);
        }
        validate(option, value);
        allowHalfClosure = (Boolean) value;
        return true;
    }

    @Override
    public UnixConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public UnixConfig setMaxMessagesPerRead(int count) {
        super.setMaxMessagesPerRead(count);
        return this;
    }

    @Override
    public UnixConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public UnixConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public UnixConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public UnixConfig setAutoRead(boolean wanted) {
        super.setAutoRead(wanted);
        return this;
    }

    @Override
    public UnixConfig setAutoClose(boolean wanted) {
        super.setAutoClose(wanted);
        return this;
    }

    @Override
    public UnixConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public UnixConfig setWriteBufferWaterMark(WriteBufferWaterMark mark) {
        super.setWriteBufferWaterMark(mark);
        return this;
    }

    @Override
    public UnixConfig setWriteBufferHighWaterMark(int bytes) {
        super.setWriteBufferHighWaterMark(bytes);
        return this;
    }

    @Override
    public UnixConfig setWriteBufferLowWaterMark(int bytes) {
        super.setWriteBufferLowWaterMark(bytes);
        return this;
    }
}
