package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct tcp_info}, the value of {@code Sockets.TCP_INFO}, in bytes. New kernels add fields only at the end, so an old
 * kernel returns fewer bytes. Fields without a comment are {@code __u32}, and all kernels have them.
 *
 * <pre>
 * 0       1          2             3        4         5         6                    7                        8
 * | state | ca_state | retransmits | probes | backoff | options | snd:4 and rcv:4    | app_limited:1,           | rto ...
 * |       |          |             |        |         |         | _wscale, from bit 0| fastopen_client_fail:2   |
 * </pre>
 */
public final class TcpInfoLayout {
    /** Size of all fields of this class, without fields that later kernels may add. */
    public static final int SIZE_BYTES = 248;

    /** {@code __u8}, like all fields before {@link #RTO_OFFSET}. */
    public static final int STATE_OFFSET = 0;

    public static final int CA_STATE_OFFSET = 1;
    public static final int RETRANSMITS_OFFSET = 2;
    public static final int PROBES_OFFSET = 3;
    public static final int BACKOFF_OFFSET = 4;
    public static final int OPTIONS_OFFSET = 5;
    public static final int WSCALE_OFFSET = 6;

    /** {@code delivery_rate_app_limited} in bit 0 (Linux 4.9), {@code fastopen_client_fail} in bits 1 and 2 (5.5). */
    public static final int FLAGS_OFFSET = 7;

    public static final int RTO_OFFSET = 8;
    public static final int ATO_OFFSET = 12;
    public static final int SND_MSS_OFFSET = 16;
    public static final int RCV_MSS_OFFSET = 20;
    public static final int UNACKED_OFFSET = 24;
    public static final int SACKED_OFFSET = 28;
    public static final int LOST_OFFSET = 32;
    public static final int RETRANS_OFFSET = 36;
    public static final int LAST_DATA_SENT_OFFSET = 44;
    public static final int LAST_DATA_RECV_OFFSET = 52;
    public static final int LAST_ACK_RECV_OFFSET = 56;
    public static final int PMTU_OFFSET = 60;
    public static final int RCV_SSTHRESH_OFFSET = 64;
    public static final int RTT_OFFSET = 68;
    public static final int RTTVAR_OFFSET = 72;
    public static final int SND_SSTHRESH_OFFSET = 76;
    public static final int SND_CWND_OFFSET = 80;
    public static final int ADVMSS_OFFSET = 84;
    public static final int REORDERING_OFFSET = 88;
    public static final int RCV_RTT_OFFSET = 92;
    public static final int RCV_SPACE_OFFSET = 96;
    public static final int TOTAL_RETRANS_OFFSET = 100;
    // __u64, from Linux 3.15:
    public static final int PACING_RATE_OFFSET = 104;
    public static final int MAX_PACING_RATE_OFFSET = 112;

    // __u64, from Linux 4.1:
    public static final int BYTES_ACKED_OFFSET = 120;
    public static final int BYTES_RECEIVED_OFFSET = 128;

    // From Linux 4.2:
    public static final int SEGS_OUT_OFFSET = 136;
    public static final int SEGS_IN_OFFSET = 140;

    // From Linux 4.6:
    public static final int NOTSENT_BYTES_OFFSET = 144;
    public static final int MIN_RTT_OFFSET = 148;
    public static final int DATA_SEGS_IN_OFFSET = 152;
    public static final int DATA_SEGS_OUT_OFFSET = 156;

    // __u64, from Linux 4.9:
    public static final int DELIVERY_RATE_OFFSET = 160;

    // __u64, from Linux 4.10:
    public static final int BUSY_TIME_OFFSET = 168;
    public static final int RWND_LIMITED_OFFSET = 176;
    public static final int SNDBUF_LIMITED_OFFSET = 184;

    // From Linux 4.18:
    public static final int DELIVERED_OFFSET = 192;
    public static final int DELIVERED_CE_OFFSET = 196;

    // __u64, from Linux 4.19:
    public static final int BYTES_SENT_OFFSET = 200;
    public static final int BYTES_RETRANS_OFFSET = 208;

    // From Linux 4.19:
    public static final int DSACK_DUPS_OFFSET = 216;
    public static final int REORD_SEEN_OFFSET = 220;

    // From Linux 5.4:
    public static final int RCV_OOOPACK_OFFSET = 224;
    public static final int SND_WND_OFFSET = 228;

    // From Linux 6.2:
    public static final int RCV_WND_OFFSET = 232;
    public static final int REHASH_OFFSET = 236;

    // __u16, from Linux 6.7:
    public static final int TOTAL_RTO_OFFSET = 240;
    public static final int TOTAL_RTO_RECOVERIES_OFFSET = 242;

    // From Linux 6.7:
    public static final int TOTAL_RTO_TIME_OFFSET = 244;

    private TcpInfoLayout() {}
}
