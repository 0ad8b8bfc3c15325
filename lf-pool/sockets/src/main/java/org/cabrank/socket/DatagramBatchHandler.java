package org.cabrank.socket;

/** The part of a {@link DatagramHandler} that takes whole batches; see {@link DatagramHandler#ofBatches}. */
@FunctionalInterface
public interface DatagramBatchHandler {

    void batch(UdpSocket socket, DatagramBatch batch) throws Exception;
}
