package org.cabrank.stream;

import org.cabrank.lf.failure.FailureLog;
import org.cabrank.stream.management.ReactorMXBean;

/** A reactor in the form that JMX asks for. */
record ReactorBean(StreamReactor reactor) implements ReactorMXBean {
    @Override
    public String getBackend() {
        return reactor.backendDescription();
    }

    @Override
    public String getFailure() {
        ReactorFailedException failure = reactor.failure();
        return failure == null ? null : FailureLog.name(failure.getMessage());
    }

    @Override
    public int getFailedShard() {
        ReactorFailedException failure = reactor.failure();
        return failure == null ? ReactorFailedException.ALL_SHARDS : failure.shard();
    }
}
