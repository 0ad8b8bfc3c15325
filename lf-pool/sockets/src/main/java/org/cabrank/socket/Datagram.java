package org.cabrank.socket;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.socket.calls.PeerAddress;
import org.cabrank.stream.transport.LentBuffers;

/**
 * A datagram that has been received, in memory that the next datagram takes after the handler's call. Details other than sender and
 * data are known if {@link DatagramOptions#details} asks for them.
 */
public final class Datagram {
    private static final int ECN_MASK = 3;

    private static final int DSCP_SHIFT = 2;

    private final PeerAddress sender;
    private final ByteBuffer received;
    private final long receivedAddress;
    private final ReceivedDetails details;

    private ByteBuffer data;

    private DatagramBatch batch;

    /** Bytes that the sender has sent, which may be more than the buffer had room for. */
    private int sentBytes;

    private boolean inUse;

    Datagram(PeerAddress sender, ByteBuffer received, long receivedAddress, ReceivedDetails details) {
        this.sender = sender;
        this.received = received;
        this.receivedAddress = receivedAddress;
        this.details = details;
        this.data = received;
    }

    /**
     * The datagram's bytes, from the buffer's position to its limit. The buffer is valid only during the handler's call, because
     * the next datagram takes its memory; it is big-endian until the handler sets another order for this call.
     * {@code -Dcabrank.checkBuffers=true} finds handlers that keep it, see
     * {@link org.cabrank.stream.ConnectionHandler#data}.
     */
    public ByteBuffer data() {
        requireInUse();
        return data;
    }

    /** Address of the sender. Allocates on each call; {@link #reply} answers without allocation. */
    public InetSocketAddress sender() {
        requireInUse();
        return (InetSocketAddress) sender.decode();
    }

    /** Returns true if the datagram was longer than {@link DatagramOptions#bytesMax}, and its end is lost ({@code MSG_TRUNC}). */
    public boolean isTruncated() {
        return sentBytes() > received.capacity();
    }

    /** Number of bytes that the sender has sent: more than {@link #data} has if the datagram is truncated. */
    public int sentBytes() {
        requireInUse();
        return sentBytes;
    }

    /**
     * Destination in the datagram's header: a group, a broadcast address or an address of this host. Allocates on each call;
     * {@link GroupMembership#includes} compares without allocation.
     *
     * @return null unless {@link DatagramDetail#DESTINATION} was asked for
     */
    public InetAddress destination() {
        requireInUse();
        return hasDestination() ? details.destination() : null;
    }

    /** Index of the interface that the datagram came by (if_nametoindex(3)); 0 unless {@link DatagramDetail#DESTINATION} was asked for. */
    public int interfaceIndex() {
        requireInUse();
        return hasDestination() ? details.interfaceIndex() : 0;
    }

    /** The destination is also requested for the sake of answers. */
    private boolean hasDestination() {
        return batch.socket().details().contains(DatagramDetail.DESTINATION);
    }

    /** Traffic class, 0 to 255; -1 unless {@link DatagramDetail#TRAFFIC_CLASS} was asked for. */
    public int trafficClass() {
        requireInUse();
        return details.trafficClass();
    }

    /** Differentiated services code point (RFC 2474), 0 to 63; -1 if unknown, as {@link #trafficClass}. */
    public int dscp() {
        int known = trafficClass();
        return known < 0 ? known : known >> DSCP_SHIFT;
    }

    /** Explicit congestion notification (RFC 3168), 0 to 3; 3: congestion. -1 if unknown, as {@link #trafficClass}. */
    public int ecn() {
        int known = trafficClass();
        return known < 0 ? known : known & ECN_MASK;
    }

    /**
     * Time at which the kernel took the datagram from the device, in nanoseconds since 1970 by CLOCK_REALTIME; 0: unknown,
     * because {@link DatagramDetail#RECEIVE_TIME} was not asked for, or the datagram came before the kernel had begun to stamp.
     */
    public long receiveTimeNs() {
        requireInUse();
        return details.receiveTimeNs();
    }

    /** Time at which the device received the datagram, in nanoseconds of the clock of the device; 0: unknown. */
    public long hardwareTimeNs() {
        requireInUse();
        return details.hardwareTimeNs();
    }

    /**
     * Number of datagrams that the socket had dropped when this datagram came, modulo 2<sup>32</sup>; -1: none, or
     * {@link DatagramDetail#DROPS} was not asked for.
     */
    public long drops() {
        requireInUse();
        return details.drops();
    }

    /** Size of each of the joined datagrams in {@link #data}, in bytes; 0: one datagram. See {@link DatagramDetail#SEGMENTS}. */
    public int segmentBytes() {
        requireInUse();
        return details.segmentBytes();
    }

    /**
     * Sends the remaining bytes of {@code answer} to the sender, and has consumed them when it returns. The answer leaves from the
     * address that the datagram was sent to, also from a socket that is bound to the wildcard address (RFC 1122, 4.1.3.5). Where that is
     * a group or a broadcast address, it leaves from an address of this host.
     *
     * @return false: the kernel has not taken it, which is counted; a datagram may be lost anyway, so nothing is tried again
     * @throws IllegalArgumentException when {@code answer} is more than {@link UdpSocket#BYTES_MAX}
     */
    public boolean reply(ByteBuffer answer) {
        requireInUse();
        DatagramSender out = batch.socket().sender();
        if (answer != received) {
            return out.reply(sender, answer);
        }
        int from = answer.position();
        int count = answer.remaining();
        answer.position(answer.limit());
        return out.reply(sender, received, receivedAddress, from, count);
    }

    /**
     * Sends the remaining bytes of {@code answer} to the sender as datagrams of {@code segmentBytes} bytes, as
     * {@link UdpSocket#sendSegments} does; of joined datagrams ({@link #segmentBytes}) it sends one answer for each. Allocates nothing.
     *
     * @return number of datagrams that the kernel has accepted
     * @throws IllegalArgumentException as {@link UdpSocket#sendSegments}
     */
    public int replySegments(ByteBuffer answer, int segmentBytes) {
        requireInUse();
        DatagramSender out = batch.socket().sender();
        if (answer != received) {
            return out.replySegments(sender, answer, segmentBytes);
        }
        int from = answer.position();
        int count = answer.remaining();
        int accepted = out.replySegments(sender, received, receivedAddress, from, count, segmentBytes);
        answer.position(answer.limit());
        return accepted;
    }

    PeerAddress peer() {
        return sender;
    }

    /** Notes that a datagram of {@code count} bytes, with so many bytes of control data, is the next in a batch. */
    void filled(DatagramBatch of, int count, int controlBytes) {
        batch = of;
        inUse = true;
        sentBytes = count;
        details.read(controlBytes);
        sender.sourceBytes(
                of.socket().repliesFromDestination() ? details.putSource(sender.memory(), sender.sourceAt()) : 0);
        data = LentBuffers.lend(received.clear().limit(Math.min(count, received.capacity())));
    }

    /** Takes over a datagram of another batch as the next one of batch {@code of}. */
    void copy(Datagram other, DatagramBatch of) {
        sender.copy(other.sender);
        int count = Math.min(other.sentBytes, received.capacity());
        received.clear().put(0, other.received, 0, count);
        filled(of, other.sentBytes, details.copy(other.details));
    }

    /** Called after the handler has returned. */
    void handled() {
        inUse = false;
        if (LentBuffers.CHECKED) {
            LentBuffers.expire(data);
        }
    }

    /** In the handler's call. Returns the address that an answer goes to, with the local address that it leaves from. */
    PeerAddress destinationOfAnswer() {
        requireInUse();
        return sender;
    }

    ReceivedDetails details() {
        requireInUse();
        return details;
    }

    private void requireInUse() {
        if (!inUse) {
            throw new IllegalStateException("a datagram is valid only during the handler's call");
        }
    }
}
