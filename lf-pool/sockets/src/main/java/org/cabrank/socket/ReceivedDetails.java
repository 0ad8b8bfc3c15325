package org.cabrank.socket;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.In6Pktinfo;
import org.cabrank.kernel.layout.InPktinfo;
import org.cabrank.socket.calls.DatagramSlot;

/**
 * Control data of one received datagram (cmsg(3)). Used by one thread at a time.
 *
 * <pre>
 * | cmsghdr | data | padding to 8 | cmsghdr | data | ...
 * </pre>
 */
final class ReceivedDetails {
    static final int ROOM_BYTES = DatagramSlot.CONTROL_BYTES;

    private static final int ALIGNMENT = 8;
    private static final int ADDRESS_BYTES_IPV4 = 4;
    private static final int ADDRESS_BYTES_IPV6 = 16;

    /** A header of 16 bytes and the data, padded to a multiple of 8. */
    private static final int SOURCE_BYTES_IPV4 = 32;

    private static final int SOURCE_BYTES_IPV6 = 40;

    private static final int MAPPED_OFFSET = 12;

    /** First byte of 224.0.0.0, the first multicast address. Higher addresses cannot be sources either. */
    private static final int FIRST_OF_IPV4_GROUPS = 224;

    private static final int FIRST_OF_IPV6_GROUPS = 0xff;

    /** The third 32 bits of an IPv4-mapped IPv6 address, in native order: two bytes 0, two bytes ff. */
    private static final int MAPPED = 0xffff_0000;

    private static final int UNKNOWN = -1;
    private static final long NS_PER_SECOND = 1_000_000_000;

    /** Index of the device's time among the three times of {@code SO_TIMESTAMPING}. */
    private static final int HARDWARE = 2;

    private final ByteBuffer control;

    private int controlBytes;

    private int addressAt;
    private int addressBytes;
    private int interfaceIndex;
    private int trafficClass;
    private long receiveTimeNs;
    private long hardwareTimeNs;
    private long drops;
    private int segmentBytes;

    /** @param control memory of {@link #ROOM_BYTES} that the kernel writes, in native order */
    ReceivedDetails(ByteBuffer control) {
        this.control = control;
        clear();
    }

    private void clear() {
        addressBytes = 0;
        interfaceIndex = 0;
        trafficClass = UNKNOWN;
        receiveTimeNs = 0;
        hardwareTimeNs = 0;
        drops = UNKNOWN;
        segmentBytes = 0;
    }

    void read(int length) {
        clear();
        controlBytes = length;
        int at = 0;
        while (length - at >= CmsgHdr.SIZE_BYTES) {
            long size = control.getLong(at + CmsgHdr.LEN_OFFSET);
            if (size < CmsgHdr.SIZE_BYTES || size > length - at) {
                return; // malformed: the kernel writes no such length
            }
            int type = control.getInt(at + CmsgHdr.TYPE_OFFSET);
            int data = at + CmsgHdr.SIZE_BYTES;
            switch (control.getInt(at + CmsgHdr.LEVEL_OFFSET)) {
                case Sockets.IPPROTO_IP -> readIpv4(type, data);
                case Sockets.IPPROTO_IPV6 -> readIpv6(type, data);
                case Sockets.SOL_SOCKET -> readSocket(type, data);
                case Sockets.IPPROTO_UDP -> {
                    if (type == Sockets.UDP_GRO) {
                        segmentBytes = control.getInt(data);
                    }
                }
                default -> {
                    // details that were not requested
                }
            }
            at += (int) (size + ALIGNMENT - 1) & -ALIGNMENT;
        }
    }

    int copy(ReceivedDetails other) {
        control.put(0, other.control, 0, other.controlBytes);
        return other.controlBytes;
    }

    private void readIpv4(int type, int data) {
        if (type == Sockets.IP_PKTINFO) {
            addressAt = data + InPktinfo.ADDR_OFFSET;
            addressBytes = ADDRESS_BYTES_IPV4;
            interfaceIndex = control.getInt(data + InPktinfo.IFINDEX_OFFSET);
        } else if (type == Sockets.IP_TOS) {
            trafficClass = Byte.toUnsignedInt(control.get(data));
        }
    }

    private void readIpv6(int type, int data) {
        if (type == Sockets.IPV6_PKTINFO) {
            addressAt = data + In6Pktinfo.ADDR_OFFSET;
            addressBytes = ADDRESS_BYTES_IPV6;
            interfaceIndex = control.getInt(data + In6Pktinfo.IFINDEX_OFFSET);
        } else if (type == Sockets.IPV6_TCLASS && trafficClass == UNKNOWN) { // IPv4 datagrams have IP_TOS
            trafficClass = control.getInt(data);
        }
    }

    private void readSocket(int type, int data) {
        if (type == Sockets.SO_TIMESTAMPING) {
            receiveTimeNs = timeNs(data);
            hardwareTimeNs = timeNs(data + HARDWARE * TimeSpec.SIZE_BYTES);
        } else if (type == Sockets.SO_RXQ_OVFL) {
            drops = Integer.toUnsignedLong(control.getInt(data));
        }
    }

    private long timeNs(int at) {
        return control.getLong(at + TimeSpec.SEC_OFFSET) * NS_PER_SECOND + control.getLong(at + TimeSpec.NSEC_OFFSET);
    }

    /**
     * Writes the source of an answer: the address that the datagram was sent to. Returns the number of bytes, a multiple of 8. For
     * an IPv4 group or broadcast address, writes the interface's address. For an IPv6 group, writes nothing, so that the kernel chooses.
     */
    int putSource(ByteBuffer into, int at) {
        if (addressBytes == ADDRESS_BYTES_IPV4) {
            int own = addressAt - InPktinfo.ADDR_OFFSET + InPktinfo.SPEC_DST_OFFSET;
            if (control.getInt(own) == 0) {
                return 0;
            }
            int data = putHeader(into, at, Sockets.IPPROTO_IP, Sockets.IP_PKTINFO, InPktinfo.SIZE_BYTES);
            into.putInt(data + InPktinfo.IFINDEX_OFFSET, 0);
            into.put(data + InPktinfo.SPEC_DST_OFFSET, control, own, ADDRESS_BYTES_IPV4);
            into.putInt(data + InPktinfo.ADDR_OFFSET, 0);
            return SOURCE_BYTES_IPV4;
        }
        if (addressBytes != ADDRESS_BYTES_IPV6 || isGroup()) {
            return 0;
        }
        int data = putHeader(into, at, Sockets.IPPROTO_IPV6, Sockets.IPV6_PKTINFO, In6Pktinfo.SIZE_BYTES);
        into.put(data + In6Pktinfo.ADDR_OFFSET, control, addressAt, ADDRESS_BYTES_IPV6);
        into.putInt(data + In6Pktinfo.IFINDEX_OFFSET, isLinkLocal() ? interfaceIndex : 0);
        return SOURCE_BYTES_IPV6;
    }

    /** Writes control data of a named source. Returns their length, a multiple of 8. For null and index 0, the kernel chooses. */
    static int putNamed(ByteBuffer into, int at, boolean ipv6, InetAddress source, int index, boolean toIpv4) {
        if (!ipv6) {
            int data = putHeader(into, at, Sockets.IPPROTO_IP, Sockets.IP_PKTINFO, InPktinfo.SIZE_BYTES);
            into.putInt(data + InPktinfo.IFINDEX_OFFSET, index);
            into.putInt(data + InPktinfo.SPEC_DST_OFFSET, 0);
            putAddress(into, data + InPktinfo.SPEC_DST_OFFSET, source);
            into.putInt(data + InPktinfo.ADDR_OFFSET, 0);
            return SOURCE_BYTES_IPV4;
        }
        int data = putHeader(into, at, Sockets.IPPROTO_IPV6, Sockets.IPV6_PKTINFO, In6Pktinfo.SIZE_BYTES);
        int address = data + In6Pktinfo.ADDR_OFFSET;
        into.putLong(address, 0);
        into.putInt(address + Long.BYTES, toIpv4 ? MAPPED : 0);
        into.putInt(address + MAPPED_OFFSET, 0);
        putAddress(into, toIpv4 ? address + MAPPED_OFFSET : address, source);
        into.putInt(data + In6Pktinfo.IFINDEX_OFFSET, index);
        return SOURCE_BYTES_IPV6;
    }

    private static void putAddress(ByteBuffer into, int at, InetAddress address) {
        if (address != null) {
            into.put(at, address.getAddress());
        }
    }

    private static int putHeader(ByteBuffer into, int at, int level, int type, int bytes) {
        into.putLong(at + CmsgHdr.LEN_OFFSET, CmsgHdr.SIZE_BYTES + bytes);
        into.putInt(at + CmsgHdr.LEVEL_OFFSET, level);
        into.putInt(at + CmsgHdr.TYPE_OFFSET, type);
        return at + CmsgHdr.SIZE_BYTES;
    }

    /** An IPv4-mapped 255.255.255.255 also counts as a group. */
    private boolean isGroup() {
        int first = Byte.toUnsignedInt(control.get(addressAt + (isMapped() ? MAPPED_OFFSET : 0)));
        return isMapped() ? first >= FIRST_OF_IPV4_GROUPS : first == FIRST_OF_IPV6_GROUPS;
    }

    /** True for fe80::/10. */
    private boolean isLinkLocal() {
        return control.get(addressAt) == (byte) 0xfe && (control.get(addressAt + 1) & 0xc0) == 0x80;
    }

    InetAddress destination() {
        if (addressBytes == 0) {
            return null;
        }
        byte[] bytes = new byte[addressBytes];
        control.get(addressAt, bytes);
        try {
            return InetAddress.getByAddress(bytes); // an IPv4-mapped address becomes the IPv4 address
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns true if the destination is {@code address}. An IPv4-mapped address equals the IPv4 address. */
    boolean isTo(byte[] address) {
        int skipped = addressBytes - address.length;
        if (skipped < 0 || skipped > 0 && !isMapped()) {
            return false;
        }
        for (int i = 0; i < address.length; i++) {
            if (control.get(addressAt + skipped + i) != address[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isMapped() {
        return control.getLong(addressAt) == 0 && control.getInt(addressAt + Long.BYTES) == MAPPED;
    }

    int interfaceIndex() {
        return interfaceIndex;
    }

    int trafficClass() {
        return trafficClass;
    }

    long receiveTimeNs() {
        return receiveTimeNs;
    }

    long hardwareTimeNs() {
        return hardwareTimeNs;
    }

    long drops() {
        return drops;
    }

    int segmentBytes() {
        return segmentBytes;
    }
}
