package org.cabrank.stream.transport;

import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.handle.Handle;

/**
 * A request to serve a connection in another shard, carried out at the end of a processing that leaves the connection idle. Claim holder.
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

    /** Called as the last step of the connection's thread. */
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
