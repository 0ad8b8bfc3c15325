package org.cabrank.lf;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LeadershipCounters;

/** Checks a pool for {@linkplain Contention contention} now and then, and logs the first finding. */
final class ContentionWatch {
    /** Named bound: hand-overs from look to look; where there are few, there is nothing to look for. */
    static final int CHANGES_PER_LOOK = 4096;

    private final Supplier<LeadershipCounters> counters;
    private final boolean eager;
    private final Consumer<Contention> say;
    private final AtomicBoolean looking = new AtomicBoolean();
    private LeadershipCounters last;

    /** Racy on purpose: a change that is not counted does no harm. */
    private int changes;

    /** @param say told once */
    ContentionWatch(Supplier<LeadershipCounters> counters, boolean eager, Consumer<Contention> say) {
        this.counters = counters;
        this.eager = eager;
        this.say = say;
    }

    /** Any thread of the pool: leadership has changed. */
    void changed() {
        if ((++changes & (CHANGES_PER_LOOK - 1)) == 0 && looking.compareAndSet(false, true)) {
            LeadershipCounters now = counters.get();
            Contention since = last == null ? null : Contention.between(last, now, eager);
            last = now;
            if (since != null && since.contended()) {
                say.accept(since);
            } else {
                looking.set(false);
            }
        }
    }
}
