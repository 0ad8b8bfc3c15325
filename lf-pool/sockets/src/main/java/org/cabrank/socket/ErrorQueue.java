package org.cabrank.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.kernel.layout.SockExtendedErr;
import org.cabrank.socket.DatagramError.Origin;

/**
 * Reads the error queue of a socket (recvmsg(2) with {@code MSG_ERRQUEUE}). No other thread uses it, even while the receiver waits.
 *
 * <pre>
 * | msghdr | iovec | address of the destination | control data: cmsghdr, sock_extended_err, address of the reporter ... | payload |
 * </pre>
 */
final class ErrorQueue {
    interface Receiver {
        boolean mayContinue();

        void error(DatagramError error);

        void sent(long number, long timeNs);

        void sentByDevice(long number, long timeNs);
    }

    /** Index of the device's time among the three times of {@code SO_TIMESTAMPING}. */
    private static final int HARDWARE = 2;

    private static final long NS_PER_SECOND = 1_000_000_000;

    /** Maximum number of entries that are read before the socket's datagrams have their turn. */
    static final int ERRORS_MAX = 64;

    private static final int IOV_OFFSET = MsgHdr.SIZE_BYTES;
    private static final int NAME_OFFSET = IOV_OFFSET + IoVec.SIZE_BYTES;
    private static final int CONTROL_OFFSET = NAME_OFFSET + SocketAddresses.ROOM_BYTES;
    private static final int CONTROL_BYTES = 512;

    private static final int PAYLOAD_BYTES = 8;

    private static final int ALIGNMENT = 8;

    private final Kernel kernel;
    private final int fd;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(CONTROL_OFFSET + CONTROL_BYTES + PAYLOAD_BYTES)
            .order(ByteOrder.nativeOrder());
    private final long address;

    ErrorQueue(Kernel kernel, int fd) {
        this.kernel = kernel;
        this.fd = fd;
        this.address = kernel.addressOf(memory);
    }

    /** Passes up to {@link #ERRORS_MAX} entries to the receiver. Returns the last result, which is {@code -EAGAIN} for an empty queue. */
    int read(Receiver receiver) {
        int result = 0;
        for (int read = 0; read < ERRORS_MAX && result >= 0 && receiver.mayContinue(); ) {
            prepare();
            result = kernel.recvmsg(fd, address, Sockets.MSG_ERRQUEUE);
            if (result == -Errno.EINTR) {
                result = 0;
            } else if (result >= 0) {
                read++;
                received(receiver);
            }
        }
        return result;
    }

    private void prepare() {
        memory.putLong(MsgHdr.NAME_OFFSET, address + NAME_OFFSET);
        memory.putInt(MsgHdr.NAMELEN_OFFSET, SocketAddresses.ROOM_BYTES);
        memory.putLong(MsgHdr.IOV_OFFSET, address + IOV_OFFSET);
        memory.putLong(MsgHdr.IOVLEN_OFFSET, 1);
        memory.putLong(MsgHdr.CONTROL_OFFSET, address + CONTROL_OFFSET);
        memory.putLong(MsgHdr.CONTROLLEN_OFFSET, CONTROL_BYTES);
        memory.putInt(MsgHdr.FLAGS_OFFSET, 0);
        memory.putLong(IOV_OFFSET + IoVec.BASE_OFFSET, address + CONTROL_OFFSET + CONTROL_BYTES);
        memory.putLong(IOV_OFFSET + IoVec.LEN_OFFSET, PAYLOAD_BYTES);
    }

    private void received(Receiver receiver) {
        int end = CONTROL_OFFSET + (int) memory.getLong(MsgHdr.CONTROLLEN_OFFSET);
        int timesAt = 0;
        int errorAt = 0;
        int errorBytes = 0;
        for (int at = CONTROL_OFFSET; end - at >= CmsgHdr.SIZE_BYTES; ) {
            long bytes = memory.getLong(at + CmsgHdr.LEN_OFFSET);
            if (bytes < CmsgHdr.SIZE_BYTES || bytes > end - at) {
                break; // malformed: the kernel writes no such length
            }
            int level = memory.getInt(at + CmsgHdr.LEVEL_OFFSET);
            int type = memory.getInt(at + CmsgHdr.TYPE_OFFSET);
            int data = at + CmsgHdr.SIZE_BYTES;
            if (level == Sockets.SOL_SOCKET && type == Sockets.SO_TIMESTAMPING) {
                timesAt = data;
            } else if (level == Sockets.IPPROTO_IP && type == Sockets.IP_RECVERR
                    || level == Sockets.IPPROTO_IPV6 && type == Sockets.IPV6_RECVERR) {
                errorAt = data;
                errorBytes = (int) bytes - CmsgHdr.SIZE_BYTES;
            }
            at += (int) (bytes + ALIGNMENT - 1) & -ALIGNMENT;
        }
        if (errorBytes < SockExtendedErr.SIZE_BYTES) {
            return;
        }
        if (memory.get(errorAt + SockExtendedErr.ORIGIN_OFFSET) == Sockets.SO_EE_ORIGIN_TIMESTAMPING) {
            sent(receiver, Integer.toUnsignedLong(memory.getInt(errorAt + SockExtendedErr.DATA_OFFSET)), timesAt);
        } else {
            receiver.error(error(errorAt, errorBytes));
        }
    }

    /** An entry has either the time of the kernel or the time of the device. The other time is 0. */
    private void sent(Receiver receiver, long number, int timesAt) {
        if (timesAt == 0) {
            return;
        }
        long softwareNs = timeNs(timesAt);
        long hardwareNs = timeNs(timesAt + HARDWARE * TimeSpec.SIZE_BYTES);
        if (softwareNs != 0) {
            receiver.sent(number, softwareNs);
        }
        if (hardwareNs != 0) {
            receiver.sentByDevice(number, hardwareNs);
        }
    }

    private long timeNs(int at) {
        return memory.getLong(at + TimeSpec.SEC_OFFSET) * NS_PER_SECOND + memory.getLong(at + TimeSpec.NSEC_OFFSET);
    }

    private DatagramError error(int at, int bytes) {
        Origin origin = switch (memory.get(at + SockExtendedErr.ORIGIN_OFFSET)) {
            case Sockets.SO_EE_ORIGIN_LOCAL -> Origin.LOCAL;
            case Sockets.SO_EE_ORIGIN_ICMP -> Origin.ICMP;
            case Sockets.SO_EE_ORIGIN_ICMP6 -> Origin.ICMPV6;
            default -> Origin.OTHER;
        };
        boolean icmp = origin == Origin.ICMP || origin == Origin.ICMPV6;
        int errno = memory.getInt(at + SockExtendedErr.ERRNO_OFFSET);
        return new DatagramError(
                addressAt(NAME_OFFSET, memory.getInt(MsgHdr.NAMELEN_OFFSET)),
                errno,
                origin,
                icmp ? Byte.toUnsignedInt(memory.get(at + SockExtendedErr.TYPE_OFFSET)) : 0,
                icmp ? Byte.toUnsignedInt(memory.get(at + SockExtendedErr.CODE_OFFSET)) : 0,
                errno == Errno.EMSGSIZE ? memory.getInt(at + SockExtendedErr.INFO_OFFSET) : 0,
                icmp ? addressAt(at + SockExtendedErr.SIZE_BYTES, bytes - SockExtendedErr.SIZE_BYTES) : null);
    }

    private InetSocketAddress addressAt(int at, int bytes) {
        int family = bytes < Short.BYTES ? Sockets.AF_UNSPEC : memory.getShort(at);
        int needed = switch (family) {
            case Sockets.AF_INET -> SocketAddresses.INET_SIZE_BYTES;
            case Sockets.AF_INET6 -> SocketAddresses.INET6_SIZE_BYTES;
            default -> Integer.MAX_VALUE;
        };
        return bytes < needed ? null : (InetSocketAddress) SocketAddresses.decode(memory.slice(at, bytes), bytes);
    }
}
