package org.cabrank.stream.transport;

import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.handle.Handle;

/**
 * A request to move a connection. It is carried out when the connection is processed and then idle. Used by the claim holder.
 *
 * <pre>
 *  former shard                                     other shard
 *  processing ends idle
 *  the other handle is registered, inactive ------> what is ready is kept
 *  the former handle leaves: no event finds it
 *  the connection names the other handle ---------> mail comes here
 *  the other handle is activated -----------------> processed for what was kept, and for mail
 * </pre>
 */
record ShardMove(StreamConnection connection, StreamShard target, CompletableFuture<Boolean> done) implements Runnable {
    boolean isTo(StreamContext context) {
        return target.context() == context;
    }

    @Override
    public void run() {
        connection.requestMove(this);
    }

    void refuse() {
        done.complete(false);
    }

    /** Moves the connection. The thread must not use the connection afterwards. */
    void carryOut(StreamIo io) {
        Handle former = connection.handle();
        try {
            io.moveTo(target);
            done.complete(true);
        } catch (Throwable failed) {
            boolean stays = !former.isClosed(); // otherwise half moved, and the other shard closes the connection
            if (stays && !(failed instanceof Error)) {
                io.interest(connection.wantsInput(), false);
            }
            done.completeExceptionally(failed);
            if (failed instanceof Error fatal) {
                throw fatal; // ends the handle, as any failure of a handler does
            }
        }
    }
}
