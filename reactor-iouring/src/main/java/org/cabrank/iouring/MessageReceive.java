package org.cabrank.iouring;

import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Sockets;
import org.cabrank.socket.transport.DescriptorMessage;
import org.cabrank.socket.transport.DescriptorTransfer;

/**
 * Receive of a stream socket that passes descriptors (IORING_OP_RECVMSG). It receives one message at a time, because it has memory for the
 * control data of one message only. Descriptors that arrive after the close of the connection are closed.
 */
final class MessageReceive extends ReceiveRequest {
    private final DescriptorTransfer transfer;
    private final ReceiveBuffers buffers;

    private final DescriptorMessage message;

    MessageReceive(
            StreamRequests requests,
            int fd,
            ReceiveBuffers buffers,
            InboundQueue inbound,
            DescriptorTransfer transfer) {
        super(requests, fd, buffers, inbound);
        this.transfer = transfer;
        this.buffers = buffers;
        this.message = transfer.newIncoming();
    }

    @Override
    boolean isSingle() {
        return true;
    }

    @Override
    void submitSingle(SubmissionWriter submissions, long file, long userData) {
        message.prepareReceive();
        submissions.receiveMessage(file, message.address(), Sockets.MSG_CMSG_CLOEXEC, buffers.group(), userData);
    }

    @Override
    void taken() {
        transfer.keep(message);
    }
}
