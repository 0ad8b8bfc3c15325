package org.cabrank.stream.transport;

/** Descriptors of a connection that passes them, in both directions. */
public record DescriptorPassing(InboundDescriptors inbound, OutboundDescriptors outbound) {
    /** Waiting descriptors for each that a write may carry: those of the next message may arrive with the last bytes of the present one. */
    private static final int RECEIVED = 2;

    public static DescriptorPassing of(int max, DescriptorCalls calls) {
        return new DescriptorPassing(
                new InboundDescriptors(RECEIVED * max, calls), new OutboundDescriptors(max, calls));
    }
}
