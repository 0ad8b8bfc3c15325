package org.cabrank.stream.transport;

/** Received and outgoing descriptors of one connection. */
public record DescriptorPassing(InboundDescriptors inbound, OutboundDescriptors outbound) {
    /** Number of writes whose descriptors may wait. It is 2 because the end of one message and bytes of the next may arrive together. */
    private static final int RECEIVED = 2;

    public static DescriptorPassing of(int max, DescriptorCalls calls) {
        return new DescriptorPassing(
                new InboundDescriptors(RECEIVED * max, calls), new OutboundDescriptors(max, calls));
    }
}
