package org.cabrank.tls;

/** The counts of a {@link Tls} in the form that JMX asks for. */
record TlsBean(Tls tls) implements TlsMXBean {
    @Override
    public long getHandshakesBegun() {
        return tls.counters().handshakesBegun();
    }

    @Override
    public long getHandshakesCompleted() {
        return tls.counters().handshakesCompleted();
    }

    @Override
    public long getHandshakesFailed() {
        return tls.counters().handshakesFailed();
    }

    @Override
    public long getHandshakesTimedOut() {
        return tls.counters().handshakesTimedOut();
    }

    @Override
    public long getHandshakesDeferred() {
        return tls.counters().handshakesDeferred();
    }

    @Override
    public long getTruncations() {
        return tls.counters().truncations();
    }

    @Override
    public long getFailures() {
        return tls.counters().failures();
    }
}
