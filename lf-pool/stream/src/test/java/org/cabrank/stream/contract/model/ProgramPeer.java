package org.cabrank.stream.contract.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamLayer;

/** The peer of a program: a thread of its own reads, unless the program has it stop. */
final class ProgramPeer {
    private final ReactorMode mode;
    private final SocketAddress address;
    private final SocketChannel channel;
    private final boolean isTcp;
    private final Thread reader = new Thread(this::read, "peer");
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private StreamLayer.Wire wire;
    private boolean reads = true;
    private boolean hasEnded;
    private volatile boolean sawEnd;
    private volatile Exception failure;

    ProgramPeer(ReactorMode mode, SocketAddress address) throws IOException {
        this.mode = mode;
        this.address = address;
        isTcp = address instanceof InetSocketAddress;
        channel = SocketChannel.open(isTcp ? StandardProtocolFamily.INET : StandardProtocolFamily.UNIX);
        if (isTcp) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, OutputModel.SOCKET_BUFFER);
        }
    }

    void connect() throws IOException {
        channel.connect(address);
        wire = mode.layer().client(channel);
        reader.start();
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocate(OutputModel.PEER_READ);
        try {
            while (wire.read(buffer.clear()) >= 0) {
                synchronized (this) {
                    received.write(buffer.array(), 0, buffer.position());
                    while (!reads) {
                        wait();
                    }
                }
            }
            sawEnd = true;
        } catch (IOException | InterruptedException e) {
            failure = e;
        }
    }

    void send(int first, int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (first + i);
        }
        wire.write(ByteBuffer.wrap(bytes));
    }

    synchronized void end() throws IOException {
        if (!hasEnded) {
            hasEnded = true;
            wire.endOutput();
        }
    }

    boolean hasSeenEnd() {
        return sawEnd;
    }

    void answerEnd() {
        try {
            end();
        } catch (IOException e) {
            failure = e;
        }
    }

    /** A Unix socket knows no reset. */
    boolean canReset() {
        return isTcp;
    }

    void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    synchronized void reads(boolean on) {
        reads = on;
        notifyAll();
    }

    synchronized int receivedCount() {
        return received.size();
    }

    synchronized byte[] received() {
        return received.toByteArray();
    }

    /** Null: the connection has ended in order. */
    Exception awaitEnd(long patienceMs) throws InterruptedException {
        reader.join(patienceMs);
        return reader.isAlive() ? new IOException("the peer sees no end") : failure;
    }

    void close() throws IOException, InterruptedException {
        channel.close();
        reads(true);
        reader.interrupt();
        reader.join();
    }
}
