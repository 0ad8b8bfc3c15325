package org.cabrank.lf;

import java.util.List;

/**
 * What a graceful stop still owes when the last thread leaves. A leader that leaves has processed what was posted; but a
 * thread that processes may come back only after that, and have let go of a handle to which something was posted meanwhile.
 */
final class LastPosts {
    private final List<HandleSet> sets;
    private final EventProcessor[] processors;

    LastPosts(List<HandleSet> sets, EventProcessor[] processors) {
        this.sets = sets;
        this.processors = processors;
    }

    /** By the last thread, which nobody joins any more. Once: a handler that posts again does not hold it up. */
    void process(Member me) {
        for (int set = 0; set < processors.length; set++) {
            me.leads = set;
            for (Handle handle : sets.get(set).takeAllPosted()) {
                int ready = handle.claimPosted();
                if (ready != 0) {
                    me.processing = true;
                    processors[set].process(me, handle, ready);
                    me.processing = false;
                }
            }
        }
    }
}
