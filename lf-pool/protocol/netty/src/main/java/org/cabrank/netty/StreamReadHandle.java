package org.cabrank.netty;

import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/** Lets a stream receive again if the last receive has filled its buffer or may have stopped early, and always after the reported end. */
final class StreamReadHandle extends RecvByteBufAllocator.DelegatingHandle
        implements RecvByteBufAllocator.ExtendedHandle {
    private final RecvByteBufAllocator.ExtendedHandle chosen;
    private final AbstractCabrankChannel channel;
    private final UncheckedBooleanSupplier maybeMore;

    StreamReadHandle(RecvByteBufAllocator.ExtendedHandle chosen, AbstractCabrankChannel channel) {
        super(chosen);
        this.chosen = chosen;
        this.channel = channel;
        this.maybeMore = () -> lastBytesRead() == attemptedBytesRead() || channel.receivesStopEarly;
    }

    @Override
    public boolean continueReading() {
        return continueReading(maybeMore);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier more) {
        return channel.endReported || chosen.continueReading(more);
    }
}
