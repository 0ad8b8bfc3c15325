package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.socket.calls.DatagramSlot;
import org.cabrank.socket.calls.PeerAddress;

final class ReceivedSlot extends DatagramSlot {
    private final Datagram datagram;
    private int bytes;
    private int controlBytes;

    ReceivedSlot(int number, ByteBuffer memory, long address, int nameAt, int controlAt, int dataAt) {
        super(number);
        ByteBuffer control = memory.slice(controlAt, CONTROL_BYTES).order(ByteOrder.nativeOrder());
        this.datagram = new Datagram(
                new PeerAddress(memory.slice(nameAt, NAME_BYTES), address + nameAt),
                memory.slice(dataAt, memory.capacity() - dataAt),
                address + dataAt,
                new ReceivedDetails(control));
    }

    @Override
    public void filled(int nameBytes, int writtenControlBytes, int sentBytes) {
        datagram.peer().length(nameBytes);
        controlBytes = writtenControlBytes;
        bytes = sentBytes;
    }

    Datagram datagramOf(DatagramBatch batch) {
        datagram.filled(batch, bytes, controlBytes);
        return datagram;
    }
}
