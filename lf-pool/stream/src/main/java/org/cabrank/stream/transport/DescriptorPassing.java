package org.cabrank.stream.transport;

/** Descriptors of a connection that passes them, in both directions. */
public record DescriptorPassing(InboundDescriptors inbound, OutboundDescriptors outbound) {
    /** Factor: the descriptors of so many writes may wait, because the end of one message may bring descriptors of the next. */
    private static final int RECEIVED = 2;

    public static DescriptorPassing of(int max, DescriptorCalls calls) {
        return new DescriptorPassing(
                new InboundDescriptors(RECEIVED * max, calls), new OutboundDescriptors(max, calls));
    }
}
