package org.cabrank.lf;

import java.io.IOException;

/**
 * Processes its events itself, one after the other, until it is deposed, promotes a successor, has to leave, or gives leadership back
 * to the {@link RegularLeader}.
 */
final class DeferredTurn implements Turn {
    private final int set;
    private final ReadyList readyList;
    private final EventProcessor processor;
    private final Watch watch;
    private final LeadershipWord word;
    private final Followers followers;

    /** Null: every leader is as good as any other. */
    private final RegularLeader regularLeader;

    /**
     * @param set the index of the set that is led
     * @param regularLeader null: every leader is as good as any other
     */
    DeferredTurn(
            int set,
            ReadyList readyList,
            EventProcessor processor,
            Watch watch,
            LeadershipWord word,
            Followers followers,
            RegularLeader regularLeader) {
        this.set = set;
        this.readyList = readyList;
        this.processor = processor;
        this.watch = watch;
        this.word = word;
        this.followers = followers;
        this.regularLeader = regularLeader;
    }

    @Override
    public End lead(Member me, long deadlineNs) throws IOException {
        me.beWatched();
        if (regularLeader != null) {
            regularLeader.beginTurn(me);
        }
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
                if (regularLeader != null) {
                    regularLeader.leave(me);
                }
                followers.handOver(set, 0);
                return end;
            }
            if (regularLeader != null && givesBack(me)) {
                return End.PASSED_ON;
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

    /** What the caller has queued goes to the kernel with the next leader, whose requests those are then. */
    private boolean givesBack(Member me) {
        Member regular = regularLeader.awaited(me);
        return regular != null && followers.handBack(set, regular);
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
