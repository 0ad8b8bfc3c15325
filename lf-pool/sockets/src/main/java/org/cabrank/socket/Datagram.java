package org.cabrank.socket;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.socket.calls.PeerAddress;
import org.cabrank.stream.transport.LentBuffers;

/** A received datagram. After the handler's call its memory is reused for the next datagram. */
public final class Datagram {
    private static final int ECN_MASK = 3;

    private static final int DSCP_SHIFT = 2;

    private final PeerAddress sender;
    private final ByteBuffer received;
    private final long receivedAddress;
    private final ReceivedDetails details;

    private ByteBuffer data;

    private DatagramBatch batch;

    private int sentBytes;

    private boolean inUse;

    Datagram(PeerAddress sender, ByteBuffer received, long receivedAddress, ReceivedDetails details) {
        this.sender = sender;
        this.received = received;
        this.receivedAddress = receivedAddress;
        this.details = details;
        this.data = received;
    }

    /** The payload, initially big-endian. Valid only during the handler's call ({@code -Dcabrank.checkBuffers=true} finds violations). */
    public ByteBuffer data() {
        requireInUse();
        return data;
    }

    /** Address of the sender. Allocates on each call; {@link #reply} answers without allocation. */
    public InetSocketAddress sender() {
        requireInUse();
        return (InetSocketAddress) sender.decode();
    }

    /** Returns true if the datagram was longer than {@link DatagramOptions#bytesMax}, so that its end is lost ({@code MSG_TRUNC}). */
    public boolean isTruncated() {
        return sentBytes() > received.capacity();
    }

    /** Number of bytes that the sender has sent. If the datagram is truncated, {@link #data} has fewer bytes. */
    public int sentBytes() {
        requireInUse();
        return sentBytes;
    }

    /** Destination: a group, a broadcast address or an address of this host. Null without {@link DatagramDetail#DESTINATION}. Allocates. */
    public InetAddress destination() {
        requireInUse();
        return hasDestination() ? details.destination() : null;
    }

    /** Index of the interface on which the datagram arrived (if_nametoindex(3)); 0 without {@link DatagramDetail#DESTINATION}. */
    public int interfaceIndex() {
        requireInUse();
        return hasDestination() ? details.interfaceIndex() : 0;
    }

    /** Returns true if the user requested destinations. The details may have one in any case, because answers need it. */
    private boolean hasDestination() {
        return batch.socket().details().contains(DatagramDetail.DESTINATION);
    }

    /** Traffic class, 0 to 255; -1 without {@link DatagramDetail#TRAFFIC_CLASS}. */
    public int trafficClass() {
        requireInUse();
        return details.trafficClass();
    }

    /** Differentiated services code point (RFC 2474), 0 to 63; -1 if the {@link #trafficClass} is unknown. */
    public int dscp() {
        int known = trafficClass();
        return known < 0 ? known : known >> DSCP_SHIFT;
    }

    /** Explicit congestion notification (RFC 3168), 0 to 3, where 3 reports congestion; -1 if the {@link #trafficClass} is unknown. */
    public int ecn() {
        int known = trafficClass();
        return known < 0 ? known : known & ECN_MASK;
    }

    /** Time at which the kernel took the datagram from the device ({@link DatagramDetail#RECEIVE_TIME}), in ns since 1970; 0: unknown. */
    public long receiveTimeNs() {
        requireInUse();
        return details.receiveTimeNs();
    }

    /** Time at which the device received the datagram, in ns of the device's clock; 0: unknown. */
    public long hardwareTimeNs() {
        requireInUse();
        return details.hardwareTimeNs();
    }

    /** Datagrams that the socket dropped before this one, modulo 2<sup>32</sup>; -1 if none, or without {@link DatagramDetail#DROPS}. */
    public long drops() {
        requireInUse();
        return details.drops();
    }

    /** Length in bytes of the datagrams that are joined in {@link #data} ({@link DatagramDetail#SEGMENTS}); 0 for a single datagram. */
    public int segmentBytes() {
        requireInUse();
        return details.segmentBytes();
    }

    /**
     * Sends the remaining bytes of {@code answer} to the sender. The bytes are consumed even if the answer is lost. The answer leaves from
     * the address that the datagram was sent to, even if the socket is bound to the wildcard address (RFC 1122, 4.1.3.5). The answer to a
     * group or broadcast datagram leaves from an address of this host.
     *
     * @return false if the answer is lost. Lost answers are counted ({@link DatagramCounters#unsent})
     * @throws IllegalArgumentException if {@code answer} has more than {@link UdpSocket#BYTES_MAX} bytes
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
     * Sends the remaining bytes of {@code answer} to the sender like {@link UdpSocket#sendSegments}. Pass {@link #data} and
     * {@link #segmentBytes} to echo joined datagrams. Allocates nothing.
     *
     * @return number of datagrams that the kernel has accepted
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

    void filled(DatagramBatch of, int count, int controlBytes) {
        batch = of;
        inUse = true;
        sentBytes = count;
        details.read(controlBytes);
        sender.sourceBytes(
                of.socket().repliesFromDestination() ? details.putSource(sender.memory(), sender.sourceAt()) : 0);
        data = LentBuffers.lend(received.clear().limit(Math.min(count, received.capacity())));
    }

    void copy(Datagram other, DatagramBatch of) {
        sender.copy(other.sender);
        int count = Math.min(other.sentBytes, received.capacity());
        received.clear().put(0, other.received, 0, count);
        filled(of, other.sentBytes, details.copy(other.details));
    }

    void handled() {
        inUse = false;
        if (LentBuffers.CHECKED) {
            LentBuffers.expire(data);
        }
    }

    /** Returns the address of the sender, with the local address that an answer leaves from. */
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
