package org.cabrank.netty;

import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/** Decides if a stream receives again: not after a receive that has not filled its buffer, but always after the end was reported. */
final class StreamReadHandle extends RecvByteBufAllocator.DelegatingHandle
        implements RecvByteBufAllocator.ExtendedHandle {
    private final RecvByteBufAllocator.ExtendedHandle chosen;
    private final AbstractCabrankChannel channel;
    private final UncheckedBooleanSupplier filled = () -> lastBytesRead() == attemptedBytesRead();

    /** @param chosen handle of the allocator that the service has chosen */
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
