package org.cabrank.stream;

import java.io.IOException;

/** The shard has no memory for the unread or queued bytes of this connection; see {@link StreamLimits#shardMemory()}. */
public final class ShardMemoryException extends IOException {
    private static final long serialVersionUID = 1L;

    public ShardMemoryException(String message) {
        super(message);
    }
}
