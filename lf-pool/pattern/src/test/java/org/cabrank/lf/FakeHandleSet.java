package org.cabrank.lf;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;

/** A handle set whose events are those that a test reports, and whose leader waits until there are any. */
public final class FakeHandleSet extends HandleSet {
    /** @param handle null: it has left */
    record Event(Handle handle, int ready) {}

    private final VirtualTime time;
    private final Deque<List<Event>> reported = new ArrayDeque<>();
    private final List<String> rearmed = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final List<String> turns = new ArrayList<>();
    private final List<String> lastLeavers = new ArrayList<>();
    private final boolean prefersOneLeader;
    private boolean interrupted;
    private Throwable broken;
    private IOException refusesToRearm;
    private RuntimeException refusesToClose;
    private int awaits;
    private int interrupts;
    private long lastTimeoutNs;

    public FakeHandleSet(Deactivation deactivation, VirtualTime time) {
        this(deactivation, time, false);
    }

    FakeHandleSet(Deactivation deactivation, VirtualTime time, boolean prefersOneLeader) {
        super(deactivation);
        this.time = time;
        this.prefersOneLeader = prefersOneLeader;
    }

    FakeHandle register(String name, EventHandler handler) {
        FakeHandle handle = new FakeHandle(this, name, handler);
        admit(handle);
        return handle;
    }

    FakeHandle registerCalledWhenDetained(String name, int ready, EventHandler handler) {
        FakeHandle handle = new FakeHandle(this, name, handler, false, ready);
        admit(handle);
        return handle;
    }

    FakeHandle registerConcurrent(String name, EventHandler handler) {
        FakeHandle handle = new FakeHandle(this, name, handler, true);
        admit(handle);
        return handle;
    }

    static Event readable(Handle handle) {
        return new Event(handle, Ready.READ);
    }

    /** One harvest of these handles, all readable. */
    void report(Handle... handles) {
        List<Event> events = new ArrayList<>();
        for (Handle handle : handles) {
            events.add(readable(handle));
        }
        report(events);
    }

    void report(List<Event> events) {
        time.change(() -> reported.add(List.copyOf(events)));
    }

    /** The next wait of a leader ends with this, and each further one unless the cause is an error. */
    void breakWith(Throwable cause) {
        time.change(() -> broken = cause);
    }

    void refuseToRearm(IOException cause) {
        time.change(() -> refusesToRearm = cause);
    }

    void refuseToClose(RuntimeException cause) {
        time.change(() -> refusesToClose = cause);
    }

    @Override
    protected Harvest newHarvest() {
        return new FakeHarvest();
    }

    private final class FakeHarvest extends Harvest {
        private List<Event> harvest = List.of();
        private int position = -1;

        @Override
        protected int await(long timeoutNs) throws IOException {
            time.change(() -> {
                awaits++;
                lastTimeoutNs = timeoutNs;
            });
            time.rest(() -> !reported.isEmpty() || interrupted || broken != null, timeoutNs);
            time.lock.lock();
            try {
                interrupted = false;
                if (broken instanceof Error passing) {
                    broken = null;
                    throw passing;
                }
                if (broken instanceof IOException io) {
                    throw io;
                }
                if (broken instanceof RuntimeException programming) {
                    throw programming;
                }
                harvest = reported.isEmpty() ? List.of() : reported.remove();
                position = -1;
                return harvest.size();
            } finally {
                time.lock.unlock();
            }
        }

        @Override
        protected Handle next() {
            while (++position < harvest.size()) {
                Handle handle = harvest.get(position).handle();
                if (handle != null) {
                    return handle;
                }
                noteStale();
            }
            return null;
        }

        @Override
        protected int ready() {
            return harvest.get(position).ready();
        }
    }

    @Override
    protected boolean prefersOneLeader() {
        return prefersOneLeader;
    }

    @Override
    protected void turnBegins(boolean regular) {
        String turn =
                (regular ? "regular " : "deputy ") + Thread.currentThread().getName();
        time.change(() -> turns.add(turn));
    }

    @Override
    protected void interruptAwait() {
        time.change(() -> {
            interrupted = true;
            interrupts++;
        });
    }

    @Override
    protected void rearm(Handle handle) throws IOException {
        time.change(() -> rearmed.add(handle + (HandleStates.isClaimed(handle) ? " claimed" : " unclaimed")));
        if (refusesToRearm != null) {
            throw refusesToRearm;
        }
    }

    @Override
    protected void closeDescriptor(Handle handle) {
        time.change(() -> closed.add(handle.toString()));
        if (refusesToClose != null) {
            throw refusesToClose;
        }
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    /** Turns that leaders were notified of, in order. */
    List<String> turns() {
        return turns;
    }

    /** Names of the threads that have left as the last. */
    List<String> lastLeavers() {
        return lastLeavers;
    }

    @Override
    protected void lastWatcherLeaves() {
        String name = Thread.currentThread().getName();
        time.change(() -> lastLeavers.add(name));
    }

    /** Number of waits and looks of leaders. */
    int awaits() {
        return awaits;
    }

    /** Number of leaders' waits that were ended from outside. */
    int interrupts() {
        return interrupts;
    }

    long lastTimeoutNs() {
        return lastTimeoutNs;
    }

    /** The handles that were armed again, each with whether it was claimed at that moment. */
    List<String> rearmed() {
        return rearmed;
    }

    /** The handles whose descriptors were closed. */
    List<String> closed() {
        return closed;
    }

    @Override
    public String toString() {
        return "fake set";
    }
}
