package org.cabrank.stream;

import java.util.Set;

/**
 * The kernel's view of a TCP connection at one moment ({@code TCP_INFO}, tcp(7)), for {@link Connection#tcpInfo}. The components are the
 * fields of {@code struct tcp_info}. Each has the name of the field and a unit. Fields that Linux no longer fills are left out.
 *
 * <p>The first version of Linux that has a field is in brackets. In an older kernel the field is {@link #ABSENT}. Counters of 32 bits wrap.
 *
 * @param caState state of the loss recovery
 * @param retransmits number of times in a row that the timer has retransmitted the oldest unacknowledged segment
 * @param probes unanswered probes of a zero window or of keep-alive
 * @param backoff doublings of the retransmission time-out
 * @param sndWscale exponent of the scale of the window that the peer offers
 * @param rcvWscale exponent of the scale of the window that this side offers
 * @param deliveryRateAppLimited true if {@code deliveryRateBytesPerSecond} was measured with too little to send (Linux 4.9; false before)
 * @param fastopenClientFail reason of the failure: 0 unknown, 1 no cookie, 2 no acknowledgement, 3 SYN retransmitted (Linux 5.5; 0 before)
 * @param rtoUs retransmission time-out
 * @param atoUs predicted time until a delayed acknowledgement
 * @param sndMssBytes largest segment that this side sends
 * @param rcvMssBytes estimate of the segments that the peer sends
 * @param unackedSegments segments that were sent and not acknowledged
 * @param sackedSegments segments that were acknowledged selectively
 * @param lostSegments segments that the kernel considers lost
 * @param retransSegments segments that were retransmitted and not acknowledged
 * @param lastDataSentMs time since data was sent last
 * @param lastDataRecvMs time since data was received last
 * @param lastAckRecvMs time since an acknowledgement was received last
 * @param pmtuBytes largest packet of the path
 * @param rcvSsthreshBytes limit of the growth of the window that this side offers
 * @param rttUs smoothed round-trip time
 * @param rttvarUs mean deviation of the round-trip time
 * @param sndSsthreshSegments slow start threshold, or 2,147,483,647 if there is none
 * @param sndCwndSegments congestion window
 * @param advmssBytes largest segment that this side has advertised
 * @param reorderingSegments distance up to which reordering does not count as loss
 * @param rcvRttUs round-trip time as the receiver estimates it, or 0 without an estimate
 * @param rcvSpaceBytes bytes that the reader takes in a round-trip time
 * @param totalRetransSegments segments that were retransmitted since the beginning
 * @param pacingRateBytesPerSecond rate of sending, or {@link #UNLIMITED} (Linux 3.15)
 * @param maxPacingRateBytesPerSecond limit of the pacing rate (SO_MAX_PACING_RATE), or {@link #UNLIMITED} (Linux 3.15)
 * @param bytesAcked bytes that the peer has acknowledged. The SYN counts as one byte (Linux 4.1)
 * @param bytesReceived bytes that were received in order (Linux 4.1)
 * @param segsOut segments sent (Linux 4.2)
 * @param segsIn segments received (Linux 4.2)
 * @param notsentBytes bytes in the send buffer that were not sent yet (Linux 4.6)
 * @param minRttUs least round-trip time of the last five minutes (net.ipv4.tcp_min_rtt_wlen), or {@link #ABSENT} (Linux 4.6)
 * @param dataSegsIn segments with data received (Linux 4.6)
 * @param dataSegsOut segments with data sent (Linux 4.6)
 * @param deliveryRateBytesPerSecond latest rate at which data reached the peer (Linux 4.9)
 * @param busyTimeUs time with data under way (Linux 4.10)
 * @param rwndLimitedUs part of {@code busyTimeUs} that the peer's window has limited (Linux 4.10)
 * @param sndbufLimitedUs part of {@code busyTimeUs} that the send buffer has limited (Linux 4.10)
 * @param deliveredSegments segments that reached the peer (Linux 4.18)
 * @param deliveredCeSegments delivered segments with an ECN mark (Linux 4.18)
 * @param bytesSent bytes that were sent, including retransmissions (Linux 4.19)
 * @param bytesRetrans bytes that were retransmitted (Linux 4.19)
 * @param dsackDups duplicates that the peer has reported (Linux 4.19)
 * @param reordSeen reorderings seen (Linux 4.19)
 * @param rcvOoopackSegments segments that were received out of order (Linux 5.4)
 * @param sndWndBytes window that the peer offers (Linux 5.4)
 * @param rcvWndBytes window that this side offers (Linux 6.2)
 * @param rehash changes of the path because of time-outs or congestion (Linux 6.2)
 * @param totalRto expiries of the retransmission timer (Linux 6.7)
 * @param totalRtoRecoveries recoveries that these expiries have begun (Linux 6.7)
 * @param totalRtoTimeMs time in these recoveries, without the present one (Linux 6.7)
 */
public record TcpInfo(
        State state,
        CongestionState caState,
        long retransmits,
        long probes,
        long backoff,
        Set<Option> options,
        long sndWscale,
        long rcvWscale,
        boolean deliveryRateAppLimited,
        long fastopenClientFail,
        long rtoUs,
        long atoUs,
        long sndMssBytes,
        long rcvMssBytes,
        long unackedSegments,
        long sackedSegments,
        long lostSegments,
        long retransSegments,
        long lastDataSentMs,
        long lastDataRecvMs,
        long lastAckRecvMs,
        long pmtuBytes,
        long rcvSsthreshBytes,
        long rttUs,
        long rttvarUs,
        long sndSsthreshSegments,
        long sndCwndSegments,
        long advmssBytes,
        long reorderingSegments,
        long rcvRttUs,
        long rcvSpaceBytes,
        long totalRetransSegments,
        long pacingRateBytesPerSecond,
        long maxPacingRateBytesPerSecond,
        long bytesAcked,
        long bytesReceived,
        long segsOut,
        long segsIn,
        long notsentBytes,
        long minRttUs,
        long dataSegsIn,
        long dataSegsOut,
        long deliveryRateBytesPerSecond,
        long busyTimeUs,
        long rwndLimitedUs,
        long sndbufLimitedUs,
        long deliveredSegments,
        long deliveredCeSegments,
        long bytesSent,
        long bytesRetrans,
        long dsackDups,
        long reordSeen,
        long rcvOoopackSegments,
        long sndWndBytes,
        long rcvWndBytes,
        long rehash,
        long totalRto,
        long totalRtoRecoveries,
        long totalRtoTimeMs) {
    /** Value of a numeric field that this kernel does not have, or that has no value yet. */
    public static final long ABSENT = -1;

    /** Value of a rate without a limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** State of the connection (RFC 9293), in the order of the kernel's numbers from 1. */
    public enum State {
        /** A number that this version of the library does not know. */
        UNKNOWN,
        ESTABLISHED,
        SYN_SENT,
        SYN_RECV,
        FIN_WAIT1,
        FIN_WAIT2,
        TIME_WAIT,
        CLOSE,
        CLOSE_WAIT,
        LAST_ACK,
        LISTEN,
        CLOSING
    }

    /** State of the loss recovery. */
    public enum CongestionState {
        OPEN,
        /** Duplicate or selective acknowledgements have come. */
        DISORDER,
        /** The congestion window is being reduced, because of an ECN mark or a full local queue. */
        CWR,
        /** Fast retransmission is under way. */
        RECOVERY,
        LOSS,
        /** A number that this version of the library does not know. */
        UNKNOWN
    }

    /** An option that the connection uses, in the order of the kernel's bits ({@code TCPI_OPT_}). */
    public enum Option {
        TIMESTAMPS,
        SACK,
        WSCALE,
        ECN,
        /** A packet with an ECN mark or ECT has come. */
        ECN_SEEN,
        SYN_DATA,
        /** Round-trip times are measured in us by TCP timestamps (Linux 6.7). */
        USEC_TS,
        /** The connection was accepted by TCP Fast Open. */
        TFO_CHILD
    }

    public TcpInfo {
        options = Set.copyOf(options);
    }
}
