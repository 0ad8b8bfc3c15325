package org.cabrank.stream.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.TcpInfo;

/** The I/O of a {@link StreamConnection}, by a socket or other means. The claim holder calls all methods except addresses and options. */
public interface StreamIo extends Transmitter {

    /** Receives once if {@link StreamConnection#wantsInput}, and calls {@code received} or {@code endOfInput}. False: there is no more. */
    boolean receive(ThreadBuffers buffers) throws Exception;

    /** Takes note of input that is ready, or must be looked for (timer, {@link StreamConnection#DRAIN}); {@link #receive} follows. */
    void noteInputReady(int ready);

    /** Returns true if all that the kernel has received was given to the connection, as far as is known. */
    boolean inputDrained();

    /** Called before a nested wait: returns the buffer that the handler was given. {@code received} is the thread's receive buffer. */
    default ByteBuffer lentBytesBuffer(ByteBuffer received) {
        return received;
    }

    /** Called at the end of a processing: has the kernel report these events next, and no other events. */
    void interest(boolean input, boolean output);

    /** Called when a callback has offloaded work: has the kernel report a reset, if it would not do so anyway. */
    void workOffloaded();

    /** Returns the failure that the socket has pending or its input has ended with; null: none. */
    IOException pendingFailure();

    /** Returns true if received bytes can be read after this failure of a send, which peer or network has caused. Default: false. */
    default boolean inputOutlasts(IOException failedSend) {
        return false;
    }

    /** Returns true if bytes have come that were not delivered. */
    default boolean holdsInput(ThreadBuffers buffers) {
        return false;
    }

    /** Called after a failed send: like {@link #holdsInput}, but true if unknown; the connection is dispatched later in that case. */
    default boolean mayHoldInput(ThreadBuffers buffers) {
        return holdsInput(buffers);
    }

    /** Returns the bytes that the socket has taken and the peer has not, as far as the kernel knows. Called only at a time limit. */
    default long unsentBytes() {
        return 0;
    }

    /** Tells the peer that no more bytes will come. A failure is ignored: the peer is gone already. */
    void sendEndOfOutput();

    void resetOnClose();

    /** Called when the descriptor has been given back. The handler is notified next. */
    void descriptorReleased();

    /** Returns true if the connection is established now; a failure is reported to {@link StreamConnection#fail}. */
    boolean finishConnecting();

    /** Completes the future of a connect, if there is one. False: it was complete already, and {@link StreamConnection#fail} was called. */
    boolean announceOpen();

    /** Called when the connection has ended before its handler was notified that it is open. */
    void neverOpened(Throwable cause);

    /** Called before {@link #moveTo}. Returns false if the kernel still reports events; the connection is then processed again. */
    boolean prepareToMove();

    /**
     * Registers the connection with another shard, takes it out of this shard, calls {@link StreamConnection#moved}, and has the other
     * shard's handle dispatched. Another thread may process the connection from then on. Throws if the other shard refuses.
     */
    void moveTo(StreamShard target) throws IOException;

    // ---- addresses and options: as of Connection; any thread ----

    SocketAddress remoteAddress();

    SocketAddress localAddress();

    <T> void option(SocketOption<T> option, T value) throws IOException;

    <T> T option(SocketOption<T> option) throws IOException;

    TcpInfo tcpInfo() throws IOException;

    PeerCredentials peerCredentials() throws IOException;

    int peerPidfd() throws IOException;

    String describePeer();

    /** Returns the descriptors that wait in both directions, always the same object; null: the connection passes none. */
    default DescriptorPassing descriptors() {
        return null;
    }

    /** Called once: returns the output of the connection, which sends through this object. */
    default Outbound newOutbound(StreamContext context) {
        return new Outbound(context, this);
    }
}
