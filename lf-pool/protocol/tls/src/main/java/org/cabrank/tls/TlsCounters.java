package org.cabrank.tls;

/**
 * Counts of a {@link Tls} since it was made; a little late for what other threads do at this moment.
 *
 * @param handshakesBegun connections whose handshake has begun
 * @param handshakesCompleted handshakes that have succeeded
 * @param handshakesFailed handshakes that have failed, for whatever reason; with those that took too long
 * @param handshakesTimedOut handshakes that took longer than {@link Tls.Builder#handshakeTimeout}
 * @param handshakesDeferred steps of handshakes that waited for a place among {@link Tls.Builder#handshakesMax}
 * @param truncations connections that the peer has ended without a close_notify
 * @param failures connections that have ended because of a record or message that TLS forbids, after their handshake
 */
public record TlsCounters(
        long handshakesBegun,
        long handshakesCompleted,
        long handshakesFailed,
        long handshakesTimedOut,
        long handshakesDeferred,
        long truncations,
        long failures) {}
