package org.cabrank.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramChannelConfig;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Map;

final class DatagramConfig extends SocketConfig implements DatagramChannelConfig {
    /** Maximum number of bytes that are received from one datagram, unless the service sets another allocator. */
    private static final int BYTES = 2048;

    private volatile NetworkInterface via;
    private volatile boolean activeOnRegistration;

    DatagramConfig(CabrankDatagramChannel channel) {
        super(channel, KernelOption.DATAGRAM, new FixedRecvByteBufAllocator(BYTES));
    }

    @Override
    @SuppressWarnings("deprecation") // programs set it
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(
                super.getOptions(),
                ChannelOption.IP_MULTICAST_ADDR,
                ChannelOption.IP_MULTICAST_IF,
                ChannelOption.DATAGRAM_CHANNEL_ACTIVE_ON_REGISTRATION);
    }

    @Override
    @SuppressWarnings({"unchecked", "deprecation"}) // by the options
    public <T> T getOption(ChannelOption<T> option) {
        if (option == ChannelOption.IP_MULTICAST_ADDR) {
            return (T) getInterface();
        }
        if (option == ChannelOption.IP_MULTICAST_IF) {
            return (T) via;
        }
        if (option == ChannelOption.DATAGRAM_CHANNEL_ACTIVE_ON_REGISTRATION) {
            return (T) Boolean.valueOf(activeOnRegistration);
        }
        return super.getOption(option);
    }

    @Override
    @SuppressWarnings("deprecation")
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (option == ChannelOption.IP_MULTICAST_ADDR) {
            setInterface((InetAddress) value);
        } else if (option == ChannelOption.IP_MULTICAST_IF) {
            setNetworkInterface((NetworkInterface) value);
        } else if (option == ChannelOption.DATAGRAM_CHANNEL_ACTIVE_ON_REGISTRATION) {
            activeOnRegistration = (Boolean) value;
        } else {
            return super.setOption(option, value);
        }
        return true;
    }

    boolean isActiveOnRegistration() {
        return activeOnRegistration;
    }

    /** Returns null if no interface was set. */
    @Override
    public InetAddress getInterface() {
        NetworkInterface own = via;
        return own == null ? null : own.inetAddresses().findFirst().orElse(null);
    }

    @Override
    public DatagramConfig setInterface(InetAddress address) {
        try {
            return setNetworkInterface(NetworkInterface.getByInetAddress(address));
        } catch (SocketException unknown) {
            throw new ChannelException(unknown);
        }
    }

    @Override
    public NetworkInterface getNetworkInterface() {
        return via;
    }

    @Override
    public DatagramConfig setNetworkInterface(NetworkInterface wanted) {
        socket.options().multicastInterface(wanted);
        via = wanted;
        return this;
    }

    @Override
    public int getSendBufferSize() {
        return getOption(ChannelOption.SO_SNDBUF);
    }

    @Override
    public DatagramConfig setSendBufferSize(int value) {
        setOption(ChannelOption.SO_SNDBUF, value);
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return getOption(ChannelOption.SO_RCVBUF);
    }

    @Override
    public DatagramConfig setReceiveBufferSize(int value) {
        setOption(ChannelOption.SO_RCVBUF, value);
        return this;
    }

    @Override
    public int getTrafficClass() {
        return getOption(ChannelOption.IP_TOS);
    }

    @Override
    public DatagramConfig setTrafficClass(int value) {
        setOption(ChannelOption.IP_TOS, value);
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return getOption(ChannelOption.SO_REUSEADDR);
    }

    @Override
    public DatagramConfig setReuseAddress(boolean value) {
        setOption(ChannelOption.SO_REUSEADDR, value);
        return this;
    }

    @Override
    public boolean isBroadcast() {
        return getOption(ChannelOption.SO_BROADCAST);
    }

    @Override
    public DatagramConfig setBroadcast(boolean value) {
        setOption(ChannelOption.SO_BROADCAST, value);
        return this;
    }

    @Override
    public boolean isLoopbackModeDisabled() {
        return getOption(ChannelOption.IP_MULTICAST_LOOP_DISABLED);
    }

    @Override
    public DatagramConfig setLoopbackModeDisabled(boolean value) {
        setOption(ChannelOption.IP_MULTICAST_LOOP_DISABLED, value);
        return this;
    }

    @Override
    public int getTimeToLive() {
        return getOption(ChannelOption.IP_MULTICAST_TTL);
    }

    @Override
    public DatagramConfig setTimeToLive(int value) {
        setOption(ChannelOption.IP_MULTICAST_TTL, value);
        return this;
    }

    @Override
    public DatagramConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public DatagramConfig setMaxMessagesPerRead(int count) {
        super.setMaxMessagesPerRead(count);
        return this;
    }

    @Override
    public DatagramConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public DatagramConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public DatagramConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public DatagramConfig setAutoRead(boolean wanted) {
        super.setAutoRead(wanted);
        return this;
    }

    @Override
    public DatagramConfig setAutoClose(boolean wanted) {
        super.setAutoClose(wanted);
        return this;
    }

    @Override
    public DatagramConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public DatagramConfig setWriteBufferWaterMark(WriteBufferWaterMark mark) {
        super.setWriteBufferWaterMark(mark);
        return this;
    }

    @Override
    public DatagramConfig setWriteBufferHighWaterMark(int bytes) {
        super.setWriteBufferHighWaterMark(bytes);
        return this;
    }

    @Override
    public DatagramConfig setWriteBufferLowWaterMark(int bytes) {
        super.setWriteBufferLowWaterMark(bytes);
        return this;
    }
}
