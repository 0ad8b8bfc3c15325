package org.cabrank.socket.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.cabrank.kernel.layout.TcpInfoLayout;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.TcpInfo.CongestionState;
import org.cabrank.stream.TcpInfo.Option;
import org.cabrank.stream.TcpInfo.State;

final class TcpInfoDecoder {
    private static final int WSCALE_BITS = 4;
    private static final int WSCALE_MASK = (1 << WSCALE_BITS) - 1;
    private static final int FASTOPEN_FAIL_MASK = 3;
    private static final long NO_SAMPLE = 0xffff_ffffL;

    private TcpInfoDecoder() {}

    /** Fields of the value. A field behind the returned length is {@link TcpInfo#ABSENT}. */
    private record Fields(ByteBuffer bytes) {
        long u8(int offset) {
            return has(offset, Byte.BYTES) ? Byte.toUnsignedLong(bytes.get(offset)) : TcpInfo.ABSENT;
        }

        long u16(int offset) {
            return has(offset, Short.BYTES) ? Short.toUnsignedLong(bytes.getShort(offset)) : TcpInfo.ABSENT;
        }

        long u32(int offset) {
            return has(offset, Integer.BYTES) ? Integer.toUnsignedLong(bytes.getInt(offset)) : TcpInfo.ABSENT;
        }

        /** Reads 64 bits. Times and counts of bytes never need the sign bit. An unlimited rate is -1, the same as an absent field. */
        long u64(int offset) {
            return has(offset, Long.BYTES) ? bytes.getLong(offset) : TcpInfo.ABSENT;
        }

        private boolean has(int offset, int count) {
            return offset + count <= bytes.limit();
        }

        long rate(int offset) {
            long rate = u64(offset);
            return rate < 0 && has(offset, Long.BYTES) ? TcpInfo.UNLIMITED : rate;
        }

        /** Reads a time, which is all ones before the first sample. */
        long sampled(int offset) {
            long time = u32(offset);
            return time == NO_SAMPLE ? TcpInfo.ABSENT : time;
        }
    }

    /** @param length number of bytes that the kernel has written to {@code value}, at least as many as every kernel writes */
    static TcpInfo decode(byte[] value, int length) {
        Fields fields = new Fields(ByteBuffer.wrap(value).limit(length).slice().order(ByteOrder.nativeOrder()));
        return new TcpInfo(
                state(fields.u8(TcpInfoLayout.STATE_OFFSET)),
                congestionState(fields.u8(TcpInfoLayout.CA_STATE_OFFSET)),
                fields.u8(TcpInfoLayout.RETRANSMITS_OFFSET),
                fields.u8(TcpInfoLayout.PROBES_OFFSET),
                fields.u8(TcpInfoLayout.BACKOFF_OFFSET),
                options(fields.u8(TcpInfoLayout.OPTIONS_OFFSET)),
                fields.u8(TcpInfoLayout.WSCALE_OFFSET) & WSCALE_MASK,
                fields.u8(TcpInfoLayout.WSCALE_OFFSET) >> WSCALE_BITS,
                (fields.u8(TcpInfoLayout.FLAGS_OFFSET) & 1) != 0,
                fields.u8(TcpInfoLayout.FLAGS_OFFSET) >> 1 & FASTOPEN_FAIL_MASK,
                fields.u32(TcpInfoLayout.RTO_OFFSET),
                fields.u32(TcpInfoLayout.ATO_OFFSET),
                fields.u32(TcpInfoLayout.SND_MSS_OFFSET),
                fields.u32(TcpInfoLayout.RCV_MSS_OFFSET),
                fields.u32(TcpInfoLayout.UNACKED_OFFSET),
                fields.u32(TcpInfoLayout.SACKED_OFFSET),
                fields.u32(TcpInfoLayout.LOST_OFFSET),
                fields.u32(TcpInfoLayout.RETRANS_OFFSET),
                fields.u32(TcpInfoLayout.LAST_DATA_SENT_OFFSET),
                fields.u32(TcpInfoLayout.LAST_DATA_RECV_OFFSET),
                fields.u32(TcpInfoLayout.LAST_ACK_RECV_OFFSET),
                fields.u32(TcpInfoLayout.PMTU_OFFSET),
                fields.u32(TcpInfoLayout.RCV_SSTHRESH_OFFSET),
                fields.u32(TcpInfoLayout.RTT_OFFSET),
                fields.u32(TcpInfoLayout.RTTVAR_OFFSET),
                fields.u32(TcpInfoLayout.SND_SSTHRESH_OFFSET),
                fields.u32(TcpInfoLayout.SND_CWND_OFFSET),
                fields.u32(TcpInfoLayout.ADVMSS_OFFSET),
                fields.u32(TcpInfoLayout.REORDERING_OFFSET),
                fields.u32(TcpInfoLayout.RCV_RTT_OFFSET),
                fields.u32(TcpInfoLayout.RCV_SPACE_OFFSET),
                fields.u32(TcpInfoLayout.TOTAL_RETRANS_OFFSET),
                fields.rate(TcpInfoLayout.PACING_RATE_OFFSET),
                fields.rate(TcpInfoLayout.MAX_PACING_RATE_OFFSET),
                fields.u64(TcpInfoLayout.BYTES_ACKED_OFFSET),
                fields.u64(TcpInfoLayout.BYTES_RECEIVED_OFFSET),
                fields.u32(TcpInfoLayout.SEGS_OUT_OFFSET),
                fields.u32(TcpInfoLayout.SEGS_IN_OFFSET),
                fields.u32(TcpInfoLayout.NOTSENT_BYTES_OFFSET),
                fields.sampled(TcpInfoLayout.MIN_RTT_OFFSET),
                fields.u32(TcpInfoLayout.DATA_SEGS_IN_OFFSET),
                fields.u32(TcpInfoLayout.DATA_SEGS_OUT_OFFSET),
                fields.u64(TcpInfoLayout.DELIVERY_RATE_OFFSET),
                fields.u64(TcpInfoLayout.BUSY_TIME_OFFSET),
                fields.u64(TcpInfoLayout.RWND_LIMITED_OFFSET),
                fields.u64(TcpInfoLayout.SNDBUF_LIMITED_OFFSET),
                fields.u32(TcpInfoLayout.DELIVERED_OFFSET),
                fields.u32(TcpInfoLayout.DELIVERED_CE_OFFSET),
                fields.u64(TcpInfoLayout.BYTES_SENT_OFFSET),
                fields.u64(TcpInfoLayout.BYTES_RETRANS_OFFSET),
                fields.u32(TcpInfoLayout.DSACK_DUPS_OFFSET),
                fields.u32(TcpInfoLayout.REORD_SEEN_OFFSET),
                fields.u32(TcpInfoLayout.RCV_OOOPACK_OFFSET),
                fields.u32(TcpInfoLayout.SND_WND_OFFSET),
                fields.u32(TcpInfoLayout.RCV_WND_OFFSET),
                fields.u32(TcpInfoLayout.REHASH_OFFSET),
                fields.u16(TcpInfoLayout.TOTAL_RTO_OFFSET),
                fields.u16(TcpInfoLayout.TOTAL_RTO_RECOVERIES_OFFSET),
                fields.u32(TcpInfoLayout.TOTAL_RTO_TIME_OFFSET));
    }

    private static State state(long number) {
        State[] states = State.values();
        return number > 0 && number < states.length ? states[(int) number] : State.UNKNOWN;
    }

    private static CongestionState congestionState(long number) {
        CongestionState[] states = CongestionState.values();
        return number >= 0 && number < states.length ? states[(int) number] : CongestionState.UNKNOWN;
    }

    private static Set<Option> options(long bits) {
        Set<Option> options = EnumSet.noneOf(Option.class);
        for (Option option : Option.values()) {
            if ((bits >> option.ordinal() & 1) != 0) {
                options.add(option);
            }
        }
        return options;
    }
}
