package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Output over a backend that sends bytes directly from any memory. Only bytes that a full socket does not take are queued. */
public final class DirectOutbound extends Outbound {
    private final DirectTransmitter transmitter;

    public DirectOutbound(StreamContext context, DirectTransmitter transmitter) {
        super(context, transmitter);
        this.transmitter = transmitter;
    }

    @Override
    void transmit(ByteBuffer data) {
        if (takesBytes() && data.isDirect()) {
            int sent = send(addressOf(data) + data.position(), data.remaining());
            data.position(data.position() + sent);
        } else if (takesBytes()) {
            sendByPieces(data);
        }
        append(data);
    }

    private void sendByPieces(ByteBuffer data) {
        ByteBuffer gather = gathered();
        int limit = data.limit();
        while (data.hasRemaining() && takesBytes()) {
            data.limit(Math.min(limit, data.position() + gather.remaining()));
            gather.put(data);
            data.limit(limit);
            flushGathered();
        }
    }

    @Override
    void flushGathered() {
        ByteBuffer gather = gathered();
        int count = gather.position();
        if (count == 0) {
            return;
        }
        noteQueued(count);
        int sent = 0;
        if (takesBytes()) {
            try { // as in send: deeper nesting is not inlined
                sent = transmitter.send(buffers().gather.address(), count);
                noteSent(sent);
            } catch (IOException broken) {
                fail(broken);
            }
        }
        if (sent < count && failure() == null) {
            append(gather.flip().position(sent));
        }
        gather.clear();
    }

    private int send(long address, int count) {
        try {
            int sent = transmitter.send(address, count);
            noteSent(sent);
            return sent;
        } catch (IOException broken) {
            fail(broken);
            return 0;
        }
    }
}
