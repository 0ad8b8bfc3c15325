package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.stream.WriteQueueFullException;

/** Writes that carry descriptors: {@link org.cabrank.stream.Connection#writeDescriptors}. Any thread. */
final class DescriptorWrites {
    private DescriptorWrites() {}

    /** Consumes {@code data}, or throws and consumes nothing. */
    static void write(StreamConnection connection, OutboundDescriptors out, ByteBuffer data, int... descriptors)
            throws IOException {
        if (descriptors.length == 0 || descriptors.length > out.max()) {
            throw new IllegalArgumentException("a write carries 1 to " + out.max() + " descriptors on " + connection
                    + ", but was given " + descriptors.length + "; write several times, or raise descriptorsMax");
        }
        if (!data.hasRemaining()) {
            throw new IllegalArgumentException("descriptors go with the first byte of the data, but there is none");
        }
        CallbackGate gate = connection.gate();
        boolean atOnce = gate.actsAtOnce();
        if (atOnce && !connection.takesOutput()) {
            connection.drop(data);
            return;
        }
        if (atOnce) {
            connection.outbound.requireRoomOrNote(data.remaining());
        } else if (gate.isClosed()) {
            data.position(data.limit());
            return;
        }
        DescriptorBatch batch = out.duplicate(descriptors);
        if (batch == null) {
            throw refusal(connection, atOnce, out.max());
        }
        boolean handedOver = false;
        try {
            if (atOnce) {
                handedOver = true; // whatever is thrown
                connection.outbound.write(data, batch, out);
            } else {
                handedOver = gate.mail(data, CallbackGate.NO_BYTES, batch);
            }
        } finally {
            if (!handedOver) {
                batch.close();
            }
        }
    }

    /** Has the service notified when descriptors can be written again. */
    private static WriteQueueFullException refusal(StreamConnection connection, boolean atOnce, int max) {
        connection.context().writeRefused();
        if (atOnce && connection.gate().mailedBytes() == 0) {
            connection.outbound.noteRefused(Outbound.UNTIL_EMPTY);
        } else {
            connection.gate().noteRefusedUntilEmpty();
        }
        return new WriteQueueFullException(
                "the peer does not read: no more than " + max
                        + " descriptors may wait to be sent; write again when writable is"
                        + " called, or raise descriptorsMax",
                true);
    }
}
