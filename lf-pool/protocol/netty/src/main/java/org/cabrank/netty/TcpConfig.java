package org.cabrank.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannelConfig;
import java.util.Map;

final class TcpConfig extends SocketConfig implements SocketChannelConfig {
    private volatile boolean allowHalfClosure;

    TcpConfig(CabrankSocketChannel channel) {
        super(channel, KernelOption.STREAM);
    }

    @Override
    public boolean isAllowHalfClosure() {
        return allowHalfClosure;
    }

    @Override
    public TcpConfig setAllowHalfClosure(boolean wanted) {
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
    public boolean isTcpNoDelay() {
        return getOption(ChannelOption.TCP_NODELAY);
    }

    @Override
    public TcpConfig setTcpNoDelay(boolean value) {
        setOption(ChannelOption.TCP_NODELAY, value);
        return this;
    }

    @Override
    public int getSoLinger() {
        return getOption(ChannelOption.SO_LINGER);
    }

    @Override
    public TcpConfig setSoLinger(int value) {
        setOption(ChannelOption.SO_LINGER, value);
        return this;
    }

    @Override
    public int getSendBufferSize() {
        return getOption(ChannelOption.SO_SNDBUF);
    }

    @Override
    public TcpConfig setSendBufferSize(int value) {
        setOption(ChannelOption.SO_SNDBUF, value);
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return getOption(ChannelOption.SO_RCVBUF);
    }

    @Override
    public TcpConfig setReceiveBufferSize(int value) {
        setOption(ChannelOption.SO_RCVBUF, value);
        return this;
    }

    @Override
    public boolean isKeepAlive() {
        return getOption(ChannelOption.SO_KEEPALIVE);
    }

    @Override
    public TcpConfig setKeepAlive(boolean value) {
        setOption(ChannelOption.SO_KEEPALIVE, value);
        return this;
    }

    @Override
    public int getTrafficClass() {
        return getOption(ChannelOption.IP_TOS);
    }

    @Override
    public TcpConfig setTrafficClass(int value) {
        setOption(ChannelOption.IP_TOS, value);
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return getOption(ChannelOption.SO_REUSEADDR);
    }

    @Override
    public TcpConfig setReuseAddress(boolean value) {
        setOption(ChannelOption.SO_REUSEADDR, value);
        return this;
    }

    /** Has no effect, because the kernel has no option for this. */
    @Override
    public TcpConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    @Override
    public TcpConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public TcpConfig setMaxMessagesPerRead(int count) {
        super.setMaxMessagesPerRead(count);
        return this;
    }

    @Override
    public TcpConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public TcpConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public TcpConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public TcpConfig setAutoRead(boolean wanted) {
        super.setAutoRead(wanted);
        return this;
    }

    @Override
    public TcpConfig setAutoClose(boolean wanted) {
        super.setAutoClose(wanted);
        return this;
    }

    @Override
    public TcpConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public TcpConfig setWriteBufferWaterMark(WriteBufferWaterMark mark) {
        super.setWriteBufferWaterMark(mark);
        return this;
    }

    @Override
    public TcpConfig setWriteBufferHighWaterMark(int bytes) {
        super.setWriteBufferHighWaterMark(bytes);
        return this;
    }

    @Override
    public TcpConfig setWriteBufferLowWaterMark(int bytes) {
        super.setWriteBufferLowWaterMark(bytes);
        return this;
    }
}
