package org.cabrank.bench.contender;

import java.util.List;
import java.util.stream.Stream;

enum NettyLoops {
    ONE("", "one event loop for acceptor and connections"),

    SEVERAL("-loops", "several event loops for connections, one of them also for the acceptor");

    private final String suffix;
    private final String tuning;

    NettyLoops(String suffix, String tuning) {
        this.suffix = suffix;
        this.tuning = tuning;
    }

    String name(String transport) {
        return transport + suffix;
    }

    List<String> tuning() {
        return Stream.concat(Stream.of(tuning), NettyServer.TUNING.stream()).toList();
    }

    int count(ServerSettings settings) {
        return this == ONE ? 1 : settings.shards().countElseCpus();
    }
}
