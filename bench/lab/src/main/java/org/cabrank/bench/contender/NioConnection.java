package org.cabrank.bench.contender;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** One connection of {@link NioLoop}. It reads nothing until the previous answer is sent completely. */
final class NioConnection {

    private final Service service;
    private ByteBuffer rest;

    NioConnection(Service service) {
        this.service = service;
    }

    /** Reads once into {@code buffer}, which belongs to the loop, and answers. Returns false at the end of the peer's output. */
    boolean serve(SelectionKey key, ByteBuffer buffer) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        if (rest != null) {
            sendRest(key, channel);
            return true;
        }
        if (channel.read(buffer.clear()) < 0) {
            return false;
        }
        answer(key, channel, buffer.flip());
        return true;
    }

    private void answer(SelectionKey key, SocketChannel channel, ByteBuffer data) throws IOException {
        while (rest == null && data.hasRemaining()) {
            ByteBuffer answer = service.answer(data);
            channel.write(answer);
            if (answer.hasRemaining()) {
                rest = ByteBuffer.allocateDirect(answer.remaining()).put(answer).flip();
                key.interestOps(SelectionKey.OP_WRITE);
            }
        }
        endOutput(channel);
    }

    private void sendRest(SelectionKey key, SocketChannel channel) throws IOException {
        channel.write(rest);
        if (!rest.hasRemaining()) {
            rest = null;
            key.interestOps(SelectionKey.OP_READ);
            endOutput(channel);
        }
    }

    /** Ends only the output. If the connection were closed while the peer still sends, a reset could destroy the last answer. */
    private void endOutput(SocketChannel channel) throws IOException {
        if (rest == null && service.ended()) {
            channel.shutdownOutput();
        }
    }
}
