package org.cabrank.lf.dispatch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.leadership.StopCheck;

/**
 * Delivers the posts that a graceful stop leaves to the last thread. A leaving leader has processed all posts, but a thread still in a
 * handler may later release a handle that was posted meanwhile.
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
     * Called by the last thread; no thread can join any more. Processes posts once: a handler that posts again does not delay the stop. A
     * task queue is served until it posts no more, because it posts when a task waits and accepts no new tasks. Waits for offloaded work
     * and runs its continuations, unless the pool stops at once.
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

    /** Processes the handles to be called last. Returns true if a handler was called, because it may have posted again. */
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
