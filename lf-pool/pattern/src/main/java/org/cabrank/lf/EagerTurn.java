package org.cabrank.lf;

import java.io.IOException;

/** POSA2's: claims an event, promotes a follower, processes. */
final class EagerTurn implements Turn {
    private final int set;
    private final ReadyList readyList;
    private final EventProcessor processor;
    private final Watch watch;
    private final LeadershipWord word;
    private final Followers followers;

    /** @param set the index of the set that is led */
    EagerTurn(
            int set,
            ReadyList readyList,
            EventProcessor processor,
            Watch watch,
            LeadershipWord word,
            Followers followers) {
        this.set = set;
        this.readyList = readyList;
        this.processor = processor;
        this.watch = watch;
        this.word = word;
        this.followers = followers;
    }

    @Override
    public End lead(Member me, long deadlineNs) throws IOException {
        for (; ; ) {
            Handle handle = watch.next(me, deadlineNs);
            if (handle != null) {
                // Read before leadership is gone: the next leader's claims overwrite it.
                int ready = readyList.claimedReady();
                me.processing = true;
                followers.handOver(set, 1);
                processor.process(me, handle, ready);
                me.processing = false;
                processor.submitRequests();
                return End.PASSED_ON;
            }
            End end = watch.mustLeave(me, deadlineNs);
            if (end != null) {
                followers.handOver(set, 0);
                return end;
            }
            word.beginDetectingRelease();
            try {
                watch.detect(me, deadlineNs);
            } finally {
                word.endDetectingVolatile();
            }
        }
    }
}
