package org.cabrank.netty;

import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import java.util.Map;
import org.cabrank.stream.SocketOption;

/** Reads and sets options of the kernel on the calling thread, without delay. Any thread may use it. */
class SocketConfig extends DefaultChannelConfig {
    final ChannelSocket socket;
    private final AbstractCabrankChannel own;
    private final Map<ChannelOption<?>, KernelOption<?>> kernelOptions;

    SocketConfig(AbstractCabrankChannel channel, Map<ChannelOption<?>, KernelOption<?>> kernelOptions) {
        super(channel);
        this.own = channel;
        this.socket = channel.socket;
        this.kernelOptions = kernelOptions;
    }

    SocketConfig(
            AbstractCabrankChannel channel,
            Map<ChannelOption<?>, KernelOption<?>> kernelOptions,
            RecvByteBufAllocator allocator) {
        super(channel, allocator);
        this.own = channel;
        this.socket = channel.socket;
        this.kernelOptions = kernelOptions;
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(super.getOptions(), kernelOptions.keySet().toArray(ChannelOption<?>[]::new));
    }

    @Override
    public <T> T getOption(ChannelOption<T> option) {
        KernelOption<T> kernelOption = kernelOption(option);
        if (kernelOption != null) {
            return kernelOption.get().apply(socket.options());
        }
        SocketOption<T> further = CabrankChannelOption.kernelOption(option);
        return further != null ? socket.options().option(further) : super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        KernelOption<T> kernelOption = kernelOption(option);
        SocketOption<T> further = kernelOption == null ? CabrankChannelOption.kernelOption(option) : null;
        if (kernelOption == null && further == null) {
            return super.setOption(option, value);
        }
        validate(option, value);
        if (kernelOption != null) {
            kernelOption.set().accept(socket.options(), value);
        } else {
            socket.options().option(further, value);
        }
        return true;
    }

    @SuppressWarnings("unchecked") // by the maps
    private <T> KernelOption<T> kernelOption(ChannelOption<T> option) {
        return (KernelOption<T>) kernelOptions.get(option);
    }

    @Override
    protected final void autoReadCleared() {
        own.autoReadCleared();
    }
}
