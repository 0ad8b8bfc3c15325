package org.cabrank.lf.stream.spi;

import java.util.concurrent.CompletableFuture;

/**
 * A connection is wanted in another shard.
 *
 * @param done as {@link org.cabrank.lf.stream.Connection#moveTo} answers
 */
record MoveRequest(StreamShard target, CompletableFuture<Boolean> done) {

    MoveRequest(StreamShard target) {
        this(target, new CompletableFuture<>());
    }
}
