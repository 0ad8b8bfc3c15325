package org.cabrank.lf;

import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.leadership.Watcher;

/** A pool as its {@link Watcher} sees it: it may replace leaders and change the number of threads. */
final class PoolWatch implements Watcher.Watched {
    private final LeaderFollowersPool pool;
    private final Watcher watcher;

    private final LeaderWatch leaders;

    private final GrowingPool growing;

    /** Written under the lock of this object. */
    private volatile boolean begun;

    /** True if the pool's own threads take part: a pool of guests does not grow. */
    private volatile boolean started;

    private boolean prepared;

    PoolWatch(LeaderFollowersPool pool, Watcher watcher, LeaderWatch leaders, GrowingPool growing) {
        this.pool = pool;
        this.watcher = watcher;
        this.leaders = leaders;
        this.growing = growing;
    }

    /** Called by the thread that starts the pool, not by a pool thread, because the watcher inherits the caller's CPUs. */
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

    /** Called if the pool was not started, so all its threads are guests. */
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
