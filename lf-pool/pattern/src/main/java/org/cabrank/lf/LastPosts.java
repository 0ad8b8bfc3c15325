package org.cabrank.lf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Posts that a graceful stop must still deliver when the last thread leaves. A leader that leaves has processed what was posted;
 * but a
 * thread that processes may come back only after that, and have let go of a handle to which something was posted meanwhile.
 */
final class LastPosts {
    private final LeaderFollowersPool pool;
    private final List<HandleSet> sets;
    private final EventProcessor[] processors;

    LastPosts(LeaderFollowersPool pool, List<HandleSet> sets, EventProcessor[] processors) {
        this.pool = pool;
        this.sets = sets;
        this.processors = processors;
    }

    /**
     * Called by the last thread, which no other joins any more. Posts are processed once: a handler that posts again does not
     * hold the stop up, except a {@link TaskQueue}, which posts when one of its tasks waits, and which takes no more tasks. Work
     * that is offloaded by a handler that runs here, or that another thread has left behind, is waited for as long as the pool
     * is not told to stop at once, and its continuation runs here.
     */
    void process(Member me) {
        me.noteInterrupt(); // an interrupted thread cannot park
        for (int set = 0; set < processors.length; set++) {
            process(me, set, sets.get(set).takeAllPosted());
        }
        boolean again = true;
        while (again && !pool.isStoppingNow()) {
            again = false;
            for (int set = 0; set < processors.length; set++) {
                again |= processCalledLast(me, set);
            }
        }
        while (owesContinuations() && !pool.isStoppingNow()) {
            me.noteInterrupt();
            LockSupport.parkNanos(this, HandleSet.POST_LOOK_NS);
            for (int set = 0; set < processors.length; set++) {
                process(me, set, sets.get(set).takePosted());
            }
        }
    }

    /** True: there was one, which may have posted again. */
    private boolean processCalledLast(Member me, int set) {
        HandleSet owner = sets.get(set);
        List<Handle> due = new ArrayList<>();
        for (Handle handle : owner.takePosted()) {
            if (handle.isCalledLast()) {
                due.add(handle);
            } else {
                owner.keepForLast(handle);
            }
        }
        process(me, set, due);
        return !due.isEmpty();
    }

    private boolean owesContinuations() {
        for (HandleSet set : sets) {
            if (set.offloads().isOwed()) {
                return true;
            }
        }
        return false;
    }

    private void process(Member me, int set, Collection<Handle> posted) {
        me.leads = set;
        for (Handle handle : posted) {
            int ready = handle.claimPosted();
            if (ready != 0) {
                me.processing = true;
                processors[set].process(me, handle, ready);
                me.processing = false;
            }
        }
    }
}
