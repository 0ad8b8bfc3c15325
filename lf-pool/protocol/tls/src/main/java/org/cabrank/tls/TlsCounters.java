package org.cabrank.tls;

import org.cabrank.lf.figures.Figures;

/**
 * Counters of a {@link Tls} since it was made. The latest events of other threads may be missing.
 *
 * @param handshakesBegun handshakes that have begun; each connection has one
 * @param handshakesCompleted handshakes that have succeeded
 * @param handshakesFailed handshakes that have failed for any reason, including time-outs
 * @param handshakesTimedOut handshakes that have taken longer than {@link Tls.Builder#handshakeTimeout}
 * @param handshakesDeferred steps of handshakes that had to wait because of {@link Tls.Builder#handshakesMax}
 * @param truncations connections that the peer has ended without a close_notify
 * @param failures connections that have ended after their handshake, because the peer sent a record or message that TLS forbids
 */
public record TlsCounters(
        long handshakesBegun,
        long handshakesCompleted,
        long handshakesFailed,
        long handshakesTimedOut,
        long handshakesDeferred,
        long truncations,
        long failures) {
    private static final String HANDSHAKES = "Handshakes of TLS";

    static final Figures<TlsCounters> FIGURES = new Figures<TlsCounters>("cabrank.tls.")
            .counter("HandshakesBegun", "handshakes.begun", HANDSHAKES, TlsCounters::handshakesBegun)
            .counter("HandshakesCompleted", "handshakes.completed", HANDSHAKES, TlsCounters::handshakesCompleted)
            .counter("HandshakesFailed", "handshakes.failed", HANDSHAKES, TlsCounters::handshakesFailed)
            .counter("HandshakesTimedOut", "handshakes.timed.out", HANDSHAKES, TlsCounters::handshakesTimedOut)
            .counter(
                    "HandshakesDeferred",
                    "handshakes.deferred",
                    "Steps of handshakes that waited for a place",
                    TlsCounters::handshakesDeferred)
            .counter("Truncations", "truncations", "Connections ended without a close_notify", TlsCounters::truncations)
            .counter(
                    "Failures",
                    "failures",
                    "Connections ended by a forbidden record or message",
                    TlsCounters::failures);
}
