package org.cabrank.stream.transport;

import java.util.concurrent.CompletableFuture;

/**
 * A connection is wanted in another shard.
 *
 * @param done as {@link org.cabrank.stream.Connection#moveTo} answers
 */
record MoveRequest(StreamShard target, CompletableFuture<Boolean> done) {

    MoveRequest(StreamShard target) {
        this(target, new CompletableFuture<>());
    }
}
