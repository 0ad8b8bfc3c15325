package org.cabrank.lf;

import java.io.IOException;
import java.util.function.Function;

/** One of many that wait in the same handle set; the kernel chooses which of them gets an event. */
final class KernelTurn implements Turn {
    /** A watcher's own ready list; a number that is given out again brings its list along, and what it has counted. */
    private record Post(ReadyList readyList, Watch watch) {}

    private final HandleSet set;
    private final EventProcessor processor;
    private final Function<ReadyList, Watch> watches;
    private final Post[] posts;

    /** @param threads how many take part at most; members' ids are from 1 to that */
    KernelTurn(HandleSet set, EventProcessor processor, Function<ReadyList, Watch> watches, int threads) {
        this.set = set;
        this.processor = processor;
        this.watches = watches;
        this.posts = new Post[threads + 1];
    }

    @Override
    public End lead(Member me, long deadlineNs) throws IOException {
        Post post = post(me);
        try {
            for (; ; ) {
                for (Handle handle = post.watch.next(me, deadlineNs);
                        handle != null;
                        handle = post.watch.next(me, deadlineNs)) {
                    me.processing = true;
                    processor.process(me, handle, post.readyList.claimedReady());
                    me.processing = false;
                }
                End end = post.watch.mustLeave(me, deadlineNs);
                if (end != null) {
                    return end;
                }
                post.watch.detect(me, deadlineNs);
            }
        } finally {
            post.readyList.handOverRest();
            set.wakeup(); // a wake-up that this thread has taken may have been meant for all
        }
    }

    /** Only the member with this id touches its place, and the members' lock orders those that have it in turn. */
    private Post post(Member me) {
        if (posts[me.id] == null) {
            ReadyList readyList = set.newReadyList();
            posts[me.id] = new Post(readyList, watches.apply(readyList));
        }
        return posts[me.id];
    }
}
