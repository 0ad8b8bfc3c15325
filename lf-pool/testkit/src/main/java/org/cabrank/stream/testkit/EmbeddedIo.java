package org.cabrank.stream.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.DirectOutbound;
import org.cabrank.stream.transport.DirectTransmitter;
import org.cabrank.stream.transport.OptionPlace;
import org.cabrank.stream.transport.Outbound;
import org.cabrank.stream.transport.OutboundQueue;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamContext;
import org.cabrank.stream.transport.StreamIo;
import org.cabrank.stream.transport.StreamShard;
import org.cabrank.stream.transport.ThreadBuffers;

/** Both directions of a connection, in memory. */
final class EmbeddedIo implements StreamIo, DirectTransmitter {
    private static final String NO_PEER =
            "an embedded connection has no peer process; test with a connection of a Unix socket";

    private static final SocketAddress LOCAL = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000);
    private static final SocketAddress REMOTE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);

    private final EmbeddedMemory memory = new EmbeddedMemory();

    // Guarded by the monitor.

    private final Deque<ByteBuffer> input = new ArrayDeque<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private boolean inputEnds;
    private boolean inputReset;
    private long room = EmbeddedConnection.UNLIMITED;
    private long left;
    private SocketOptions options = SocketOptions.NONE;
    private boolean outputEnded;
    private boolean reset;

    /** Set once, before the first event. */
    private StreamConnection connection;

    private boolean endGiven;

    void bind(StreamConnection own) {
        connection = own;
    }

    EmbeddedMemory memory() {
        return memory;
    }

    // ---- the peer ----

    synchronized void peerSends(byte[] bytes) {
        if (inputEnds || inputReset) {
            throw new IllegalStateException("the peer has ended its output, and sends no more");
        }
        if (bytes.length > 0) {
            input.add(ByteBuffer.wrap(bytes));
        }
    }

    synchronized void peerEnds() {
        inputEnds = true;
    }

    synchronized void peerResets() {
        input.clear();
        inputReset = true;
    }

    synchronized void peerTakes(long bytes) {
        room = bytes;
    }

    synchronized void peerLeaves(long bytes) {
        left = bytes;
    }

    synchronized byte[] takeSent() {
        byte[] taken = sent.toByteArray();
        sent.reset();
        return taken;
    }

    synchronized boolean isOutputEnded() {
        return outputEnded;
    }

    synchronized boolean isReset() {
        return reset;
    }

    // ---- input ----

    @Override
    public boolean receive(ThreadBuffers buffers) throws Exception {
        IOException pending = pendingFailure();
        if (pending != null) {
            connection.fail(pending);
            return false;
        }
        if (!connection.wantsInput() || !hasInput()) {
            return false;
        }
        Chunk chunk = connection.receiveRoom(buffers, 1);
        int count = copyInput(chunk.bytes);
        if (count > 0) {
            buffers.noteReceived(count);
            connection.received(chunk.bytes.flip());
            return hasInput();
        }
        endGiven = true;
        connection.endOfInput();
        return false;
    }

    private synchronized boolean hasInput() {
        return !input.isEmpty() || inputEnds && !endGiven;
    }

    private synchronized int copyInput(ByteBuffer to) {
        ByteBuffer from = input.peek();
        if (from == null) {
            return 0;
        }
        int count = Math.min(from.remaining(), to.remaining());
        to.put(from.slice().limit(count));
        from.position(from.position() + count);
        if (!from.hasRemaining()) {
            input.remove();
        }
        return count;
    }

    @Override
    public void noteInputReady(int ready) {
        // the input is read each time
    }

    @Override
    public boolean inputDrained() {
        return !hasInput();
    }

    @Override
    public void interest(boolean wantsInput, boolean wantsOutput) {
        // nothing to do, because each change by the test is an event
    }

    @Override
    public void workOffloaded() {
        // nothing to do, because each change by the test is an event
    }

    @Override
    public synchronized IOException pendingFailure() {
        return inputReset
                ? new IOException(connection + ": the connection has ended: ECONNRESET (Connection reset by peer)")
                : null;
    }

    // ---- output ----

    @Override
    public Outbound newOutbound(StreamContext context) {
        return new DirectOutbound(context, this);
    }

    @Override
    public int sendQueued(OutboundQueue queue) {
        return send(queue.headAddress(), queue.headBytes());
    }

    @Override
    public synchronized int send(long address, int count) {
        int taken = (int) Math.min(room, count);
        if (room != EmbeddedConnection.UNLIMITED) {
            room -= taken;
        }
        byte[] bytes = memory.read(address, taken);
        sent.write(bytes, 0, taken);
        return taken;
    }

    @Override
    public void submit() {
        // bytes are sent at once
    }

    @Override
    public synchronized long unsentBytes() {
        return left;
    }

    @Override
    public synchronized void sendEndOfOutput() {
        outputEnded = true;
    }

    @Override
    public synchronized void resetOnClose() {
        reset = true;
    }

    @Override
    public synchronized void descriptorReleased() {
        outputEnded = !reset; // the kernel sends the end when a socket is closed
    }

    // ---- connecting and moving to another shard, which an embedded connection never does ----

    @Override
    public boolean finishConnecting() {
        return false;
    }

    @Override
    public boolean announceOpen() {
        return true;
    }

    @Override
    public void neverOpened(Throwable cause) {
        // no thread waits for it
    }

    @Override
    public boolean prepareToMove() {
        return true;
    }

    @Override
    public void moveTo(StreamShard target) throws IOException {
        throw new IOException("an embedded connection has one shard");
    }

    @Override
    public SocketAddress remoteAddress() {
        return REMOTE;
    }

    @Override
    public SocketAddress localAddress() {
        return LOCAL;
    }

    /** Only stores the value, because there is no socket. */
    @Override
    public synchronized <T> void option(SocketOption<T> option, T value) {
        option.requireFit(LOCAL, OptionPlace.CONNECTED);
        options = options.with(option, value);
    }

    @Override
    public synchronized <T> T option(SocketOption<T> option) throws IOException {
        T value = options.get(option);
        if (value == null) {
            throw new IOException(option + " is unknown: an embedded connection has no socket; set the option first");
        }
        return value;
    }

    @Override
    public TcpInfo tcpInfo() {
        throw new UnsupportedOperationException(
                "an embedded connection has no TCP_INFO, because it has no socket; test with a connection over loopback");
    }

    @Override
    public PeerCredentials peerCredentials() {
        throw new UnsupportedOperationException(NO_PEER);
    }

    @Override
    public int peerPidfd() {
        throw new UnsupportedOperationException(NO_PEER);
    }

    @Override
    public String describePeer() {
        return "the test";
    }
}
