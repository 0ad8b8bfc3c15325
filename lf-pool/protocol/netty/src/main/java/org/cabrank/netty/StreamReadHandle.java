package org.cabrank.netty;

import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/** Lets a stream receive again if the last receive has filled its buffer, and always after the end was reported. */
final class StreamReadHandle extends RecvByteBufAllocator.DelegatingHandle
        implements RecvByteBufAllocator.ExtendedHandle {
    private final RecvByteBufAllocator.ExtendedHandle chosen;
    private final AbstractCabrankChannel channel;
    private final UncheckedBooleanSupplier filled = () -> lastBytesRead() == attemptedBytesRead();

    StreamReadHandle(RecvByteBufAllocator.ExtendedHandle chosen, AbstractCabrankChannel channel) {
        super(chosen);
        this.chosen = chosen;
        this.channel = channel;
    }

    @Override
    public boolean continueReading() {
        return continueReading(filled);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
        return channel.endReported || chosen.continueReading(maybeMore);
    }
}
