package org.cabrank.lf;

import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.leadership.Watcher;

/** The part of a pool that the {@link Watcher} calls. It replaces slow leaders and changes the number of threads. */
final class PoolWatch implements Watcher.Watched {
    private final LeaderFollowersPool pool;
    private final Watcher watcher;

    private final LeaderWatch leaders;

    private final GrowingPool growing;

    /** Written under the lock of this object. */
    private volatile boolean begun;

    /** True once the pool's own threads take part. A pool that has only guests never grows. */
    private volatile boolean started;

    private boolean prepared;

    PoolWatch(LeaderFollowersPool pool, Watcher watcher, LeaderWatch leaders, GrowingPool growing) {
        this.pool = pool;
        this.watcher = watcher;
        this.leaders = leaders;
        this.growing = growing;
    }

    /** Must not be called by a pool thread, because the watcher's thread inherits the CPUs of the caller. */
    synchronized void begin() {
        if (!begun && (leaders != null || growing != null)) {
            watcher.watch(this);
            begun = true;
        }
    }

    void threadsTakePart() {
        started = true;
        wake();
    }

    void wake() {
        watcher.wake();
    }

    void somebodyFollows() {
        if (!begun) {
            beginWithGuests();
        }
        leaders.somebodyFollows();
    }

    private void beginWithGuests() {
        try {
            begin();
        } catch (Throwable refused) { // no native thread could be started
            pool.handleSets()
                    .get(0)
                    .failures()
                    .log("leaders of %s that block are not replaced until another thread follows", pool, refused);
        }
    }

    @Override
    public long check(long nowNs) {
        if (!prepared) {
            prepared = true;
            pool.handleSets().get(0).dispatcher().watcherBegins();
        }
        long leadersNs = leaders == null || pool.isStopping() ? Deadlines.FOREVER : leaders.check(nowNs);
        return growing == null || !started ? leadersNs : Math.min(leadersNs, growing.check(nowNs));
    }

    @Override
    public boolean isOver() {
        return pool.isStopping() && (growing == null || !started || growing.isOver());
    }

    @Override
    public void failed(Throwable cause) {
        pool.fail(cause);
    }
}
