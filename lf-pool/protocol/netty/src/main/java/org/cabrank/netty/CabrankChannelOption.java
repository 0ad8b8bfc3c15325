package org.cabrank.netty;

import io.netty.channel.ChannelOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.cabrank.stream.SocketOption;

/** Options of the kernel for which Netty has no name, such as {@link SocketOption#TCP_USER_TIMEOUT}. */
public final class CabrankChannelOption {
    private static final Map<ChannelOption<?>, SocketOption<?>> KNOWN = new ConcurrentHashMap<>();

    private CabrankChannelOption() {}

    /** Returns the same object each time. Any thread may call this method. */
    public static <T> ChannelOption<T> of(SocketOption<T> option) {
        ChannelOption<T> own = ChannelOption.valueOf(CabrankChannelOption.class, option.name());
        KNOWN.putIfAbsent(own, option);
        return own;
    }

    @SuppressWarnings("unchecked") // by of
    static <T> SocketOption<T> kernelOption(ChannelOption<T> option) {
        return (SocketOption<T>) KNOWN.get(option);
    }
}
