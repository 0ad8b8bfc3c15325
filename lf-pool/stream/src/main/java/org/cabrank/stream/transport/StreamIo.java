package org.cabrank.stream.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.TcpInfo;

/** The I/O of a {@link StreamConnection}. Only the claim holder calls the methods, except those for addresses and options. */
public interface StreamIo extends Transmitter {

    /** Receives once if the connection wants input. Calls {@code received} or {@code endOfInput}. Returns false if no input is left. */
    boolean receive(ThreadBuffers buffers) throws Exception;

    /** Lets {@link #receive} look for input if the kernel has reported it, the timer has expired or DRAIN was posted. */
    void noteInputReady(int ready);

    /** Returns true if all input that the kernel is known to have received was given to the connection. */
    boolean inputDrained();

    /** Returns the buffer that the handler was given. {@code received} is the receive buffer of the thread. Called before a nested wait. */
    default ByteBuffer lentBytesBuffer(ByteBuffer received) {
        return received;
    }

    /** Sets the events that the kernel reports next. Called at the end of a processing. */
    void interest(boolean input, boolean output);

    /** Called when a callback has offloaded work. Makes the kernel report a reset. */
    void workOffloaded();

    /** Returns the pending failure of the socket, or the failure with which the input has ended. Returns null if there is none. */
    IOException pendingFailure();

    /** Returns true if the peer or the network has caused the failure, so that received bytes can still be read. */
    default boolean inputOutlasts(IOException failedSend) {
        return false;
    }

    /** Returns true if received bytes were not delivered yet. */
    default boolean holdsInput(ThreadBuffers buffers) {
        return false;
    }

    /** As {@link #holdsInput}, but returns true if it is unknown. The connection is dispatched later. Called after a failed send. */
    default boolean mayHoldInput(ThreadBuffers buffers) {
        return holdsInput(buffers);
    }

    /** Number of bytes that the socket has taken and the peer has not, as far as the kernel knows. Called only for time limits. */
    default long unsentBytes() {
        return 0;
    }

    /** Sends the end of the output (FIN) to the peer. A failure is ignored, because the peer has then already gone. */
    void sendEndOfOutput();

    void resetOnClose();

    /** Called when the descriptor was given back, before the handler is notified of the end. */
    void descriptorReleased();

    /** Returns true if the connection is now established. Reports a failure to {@link StreamConnection#fail}. */
    boolean finishConnecting();

    /** Completes the future of a connect. If it was already complete, calls {@link StreamConnection#fail} and returns false. */
    boolean announceOpen();

    /** Called if the connection has ended before the first call of its handler. */
    void neverOpened(Throwable cause);

    /** Called before {@link #moveTo}. Returns false if the kernel may still report events. The connection is then processed again. */
    boolean prepareToMove();

    /**
     * Registers the connection with another shard, removes it from this shard, and calls {@link StreamConnection#moved}. Then activates the
     * handle of the other shard. From then on another thread may process the connection. Throws if the other shard refuses.
     */
    void moveTo(StreamShard target) throws IOException;

    // ---- addresses and options, as in Connection; any thread ----

    SocketAddress remoteAddress();

    SocketAddress localAddress();

    <T> void option(SocketOption<T> option, T value) throws IOException;

    <T> T option(SocketOption<T> option) throws IOException;

    TcpInfo tcpInfo() throws IOException;

    PeerCredentials peerCredentials() throws IOException;

    int peerPidfd() throws IOException;

    String describePeer();

    /** Returns the descriptors that wait in both directions, always the same object, or null if the connection passes none. */
    default DescriptorPassing descriptors() {
        return null;
    }

    /** Returns the output of the connection, which sends through this object. Called once. */
    default Outbound newOutbound(StreamContext context) {
        return new Outbound(context, this);
    }
}
