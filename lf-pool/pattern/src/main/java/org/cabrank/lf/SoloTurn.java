package org.cabrank.lf;

import java.io.IOException;

/** The only thread of a pool: a plain reactor, which nobody can follow. */
final class SoloTurn implements Turn {
    private final ReadyList readyList;
    private final EventProcessor processor;
    private final Watch watch;

    SoloTurn(ReadyList readyList, EventProcessor processor, Watch watch) {
        this.readyList = readyList;
        this.processor = processor;
        this.watch = watch;
    }

    @Override
    public End lead(Member me, long deadlineNs) throws IOException {
        for (; ; ) {
            for (Handle handle = watch.next(me, deadlineNs); handle != null; handle = watch.next(me, deadlineNs)) {
                me.processing = true;
                processor.process(me, handle, readyList.claimedReady());
                me.processing = false;
            }
            End end = watch.mustLeave(me, deadlineNs);
            if (end != null) {
                return end;
            }
            watch.detect(me, deadlineNs);
        }
    }
}
