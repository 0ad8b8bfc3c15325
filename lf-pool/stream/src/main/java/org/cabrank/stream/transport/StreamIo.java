package org.cabrank.stream.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.TcpInfo;

/**
 * The I/O of one {@link StreamConnection}: a backend implements this interface for the socket or whatever else the bytes go through.
 * The claim holder calls every method, except for the addresses and the options.
 */
public interface StreamIo extends Transmitter {
    // ---- input ----

    /**
     * Receives once, if {@link StreamConnection#wantsInput} and something may be there, and calls {@link StreamConnection#received} or
     * {@link StreamConnection#endOfInput}.
     *
     * @return true if something may still be there
     */
    boolean receive(ThreadBuffers buffers) throws Exception;

    /**
     * Takes note of the input that is ready, or that must be looked at ({@code TIMER}, {@link StreamConnection#DRAIN});
     * {@link #receive} follows.
     */
    void noteInputReady(int ready);

    /** Returns true if all that the kernel has received was given to the connection, as far as is known. */
    boolean inputDrained();

    /**
     * Returns the buffer whose bytes the handler has in hand, before the handler waits for a reply.
     *
     * @param received the buffer of the thread that bytes are received into
     */
    default ByteBuffer lentBytesBuffer(ByteBuffer received) {
        return received;
    }

    // ---- events ----

    /** Called at the end of a processing: has the kernel report these events next, and no other events. */
    void interest(boolean input, boolean output);

    /** Called when a callback has offloaded work: has the kernel report a reset, if the kernel would not. */
    void workOffloaded();

    /** Returns the failure that the socket has pending or its input has ended with; null: none. */
    IOException pendingFailure();

    /**
     * Returns true if a send has failed because the peer or the network has ended the connection, so that bytes which were received
     * before can still be read. The default is false: the connection is closed at once.
     */
    default boolean inputOutlasts(IOException failedSend) {
        return false;
    }

    /** Claim holder: returns true if bytes have come that were not delivered. */
    default boolean holdsInput(ThreadBuffers buffers) {
        return false;
    }

    /**
     * Claim holder, behind a send that has failed: like {@link #holdsInput}, and true if that is not known yet. Then the connection is
     * dispatched when it is.
     */
    default boolean mayHoldInput(ThreadBuffers buffers) {
        return holdsInput(buffers);
    }

    // ---- the end ----

    /**
     * Returns the number of bytes that the socket has taken and the peer has not, as far as the kernel knows. Called only when a time
     * limit is looked at.
     */
    default long unsentBytes() {
        return 0;
    }

    /** Tells the peer that no more bytes will come. A failure is ignored: the peer is gone already. */
    void sendEndOfOutput();

    /** Makes the close to come a reset. */
    void resetOnClose();

    /** The descriptor has been given back; the handler is notified next. */
    void descriptorReleased();

    // ---- the beginning of a connection that this side makes ----

    /** Returns true if the connection is established now; a failure is reported to {@link StreamConnection#fail}. */
    boolean finishConnecting();

    /**
     * Completes the future of a connect, if there is one.
     *
     * @return false: the future was complete already, and {@link StreamConnection#fail} was called
     */
    boolean announceOpen();

    /** The connection has ended before its handler was notified that it is open. */
    void neverOpened(Throwable cause);

    /**
     * The connection is to be moved, and nothing is under way but what the kernel was asked to report. Has the kernel report nothing
     * more, if that must be before {@link #moveTo}; the connection is processed again then.
     *
     * @return true if the kernel reports nothing more
     */
    boolean prepareToMove();

    /**
     * Registers the connection with another shard, takes it out of this shard, calls {@link StreamConnection#moved}, and has the other
     * shard's handle dispatched. Another thread may process the connection from then on.
     *
     * @throws IOException the reason why the other shard refuses the connection, which stays
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

    // ---- descriptors ----

    /** Returns the descriptors that wait in both directions, always the same object; null: the connection passes none. */
    default DescriptorPassing descriptors() {
        return null;
    }

    // ---- output ----

    /** Called once: returns the output of the connection, which sends through this object. */
    default Outbound newOutbound(StreamContext context) {
        return new Outbound(context, this);
    }
}
