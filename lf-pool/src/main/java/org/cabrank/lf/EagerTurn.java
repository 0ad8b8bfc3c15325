package org.cabrank.lf;

import java.io.IOException;

/** POSA2's: claims an event, promotes a follower, processes. */
final class EagerTurn implements Turn {
    private final HandleSet set;
    private final EventProcessor processor;
    private final Watch watch;
    private final LeadershipWord word;
    private final Followers followers;

    EagerTurn(HandleSet set, EventProcessor processor, Watch watch, LeadershipWord word, Followers followers) {
        this.set = set;
        this.processor = processor;
        this.watch = watch;
        this.word = word;
        this.followers = followers;
    }

    @Override
    public End lead(Member me, long deadlineNs) throws IOException {
        for (; ; ) {
            Handle handle = watch.next();
            if (handle != null) {
                // Read before leadership is gone: the next leader's claims overwrite it.
                int ready = set.claimedReady();
                me.processing = true;
                if (followers.handOver(1)) {
                    me.promotions.add(1);
                }
                processor.process(me, handle, ready);
                me.processing = false;
                return End.PASSED_ON;
            }
            End end = watch.mustLeave(deadlineNs);
            if (end != null) {
                followers.handOver(0);
                return end;
            }
            word.beginDetectingRelease();
            try {
                watch.detect(deadlineNs);
            } finally {
                word.endDetectingVolatile();
            }
        }
    }
}
