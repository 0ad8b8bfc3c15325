package org.cabrank.lf.dispatch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.leadership.StopCheck;

/**
 * Delivers the last posts in a graceful stop. A leader that leaves has processed all posts. But another thread may still run a handler, and
 * its handle may be posted again before the handler returns. The last thread processes such posts.
 */
public final class LastPosts {
    private final StopCheck stop;
    private final List<Dispatcher> sets;
    private final EventProcessor[] processors;

    public LastPosts(StopCheck stop, List<Dispatcher> sets, EventProcessor[] processors) {
        this.stop = stop;
        this.sets = sets;
        this.processors = processors;
    }

    /**
     * Processes each post once, so a handler that posts again does not delay the stop. Only a task queue is served until it posts no more.
     * It accepts no new tasks, but it posts when one of its tasks waits. Unless the pool stops at once, this also waits for offloaded work
     * and runs its continuations. Called by the last thread, when no thread can join any more.
     */
    public void process(ProcessingThread me) {
        me.noteInterrupt(); // an interrupted thread cannot park
        for (int set = 0; set < processors.length; set++) {
            process(me, set, sets.get(set).takeAllPosted());
        }
        boolean again = true;
        while (again && !stop.isStoppingNow()) {
            again = false;
            for (int set = 0; set < processors.length; set++) {
                again |= processCalledLast(me, set);
            }
        }
        while (owesContinuations() && !stop.isStoppingNow()) {
            me.noteInterrupt();
            LockSupport.parkNanos(this, Dispatcher.POST_LOOK_NS);
            for (int set = 0; set < processors.length; set++) {
                process(me, set, sets.get(set).takePosted());
            }
        }
    }

    /** Processes the handles to be called last. Returns true if a handler was called. It may have posted again. */
    private boolean processCalledLast(ProcessingThread me, int set) {
        Dispatcher owner = sets.get(set);
        List<HandleState> due = new ArrayList<>();
        for (HandleState handle : owner.takePosted()) {
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
        for (Dispatcher set : sets) {
            if (set.offloads().hasUnfinished()) {
                return true;
            }
        }
        return false;
    }

    private void process(ProcessingThread me, int set, Collection<HandleState> posted) {
        me.leads = set;
        for (HandleState handle : posted) {
            int ready = handle.claimPosted();
            if (ready != 0) {
                me.processing = true;
                processors[set].process(me, handle, ready);
                me.processing = false;
            }
        }
    }
}
