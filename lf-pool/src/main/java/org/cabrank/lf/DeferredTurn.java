package org.cabrank.lf;

import java.io.IOException;

/** Processes its events itself, one after the other, until it is deposed, promotes a successor or has to leave. */
final class DeferredTurn implements Turn {
    private final int set;
    private final ReadyList readyList;
    private final EventProcessor processor;
    private final Watch watch;
    private final LeadershipWord word;
    private final Followers followers;

    /** @param set the index of the set that is led */
    DeferredTurn(
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
        me.beWatched();
        processor.submitRequests(); // of a leader that was deposed, whose next wait they were meant to go with
        for (; ; ) {
            for (Handle handle = watch.next(me, deadlineNs); handle != null; handle = watch.next(me, deadlineNs)) {
                if (!processAsLeader(me, handle)) {
                    processor.submitRequests();
                    return End.PASSED_ON;
                }
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
            followers.wakeSleepingStandby();
        }
    }

    /** True: it still leads. */
    private boolean processAsLeader(Member me, Handle handle) {
        // Read before the word says PROCESSING: from then on a new leader's claims may overwrite it.
        int ready = readyList.claimedReady();
        long begun = word.beginProcessingRelease();
        me.begun = begun;
        me.processing = true;
        processor.process(me, handle, ready);
        me.processing = false;
        return word.endProcessing(begun);
    }
}
