package org.cabrank.lf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.counting.OffloadCounts;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.PoolCounters;

final class Members {
    private final Runnable onTermination;

    private final List<HandleSet> sets;
    /** Written with the lock held. */
    private final AtomicReferenceArray<Member> byId;

    private final MemberCounters[] counters;
    /** Number of pools that the calling thread takes part in. Null stands for 0. */
    private static final ThreadLocal<Integer> POOLS_OF_THREAD = new ThreadLocal<>();

    private final ThreadLocal<Member> current = new ThreadLocal<>();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private int count;

    /** Number of members that process no further event; {@code count} includes them. */
    private int leaving;

    /** Number of slots reserved for pool threads that have not taken their slot yet. Guests cannot take these slots. */
    private int reserved;

    private boolean stopping;

    Members(int max, List<HandleSet> sets, boolean latencyMeasured, Runnable onTermination) {
        this.onTermination = onTermination;
        this.sets = sets;
        byId = new AtomicReferenceArray<>(max + 1);
        counters = new MemberCounters[max + 1];
        Arrays.setAll(counters, id -> new MemberCounters(latencyMeasured ? new LatencyCounts() : null));
    }

    /** Takes a slot for a guest. Returns null if the pool stops, or if no slot is free. */
    synchronized Member reserve() {
        if (stopping || !hasFreeSlot()) {
            return null; // a stopping pool may have been reported as terminated already
        }
        return takeSlot(null);
    }

    private int max() {
        return byId.length() - 1;
    }

    private Member takeSlot(Thread thread) {
        for (int id = 1; id < byId.length(); id++) {
            if (byId.get(id) == null) {
                Member taken = new Member(id, thread, counters[id]);
                if (thread != null) {
                    enter(taken);
                }
                byId.set(id, taken);
                count++;
                return taken;
            }
        }
        return null;
    }

    synchronized boolean reserveForThread() {
        if (!stopping) {
            reserved++;
        }
        return !stopping;
    }

    synchronized boolean hasFreeSlot() {
        return count + reserved < max();
    }

    synchronized boolean reserveForThreadIfFree() {
        boolean free = !stopping && hasFreeSlot();
        if (free) {
            reserved++;
        }
        return free;
    }

    synchronized void cancelReservation() {
        reserved--;
        notifyAll();
        checkTerminated(stopping);
    }

    synchronized Member tryTakeReserved() {
        Member taken = takeSlot(Thread.currentThread());
        if (taken != null) {
            reserved--;
            notifyAll();
        }
        return taken;
    }

    /** Waits for the slot reserved for the calling thread. Waits even in a stopping pool, because a graceful stop may need the thread. */
    synchronized Member awaitReserved() {
        boolean interrupted = false;
        Member taken = tryTakeReserved();
        while (taken == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
            taken = tryTakeReserved();
        }
        taken.interrupted = interrupted;
        return taken;
    }

    /** Puts {@code thread} into the slot that {@code guest} reserved. If this throws, the slot stays reserved. */
    synchronized Member adopt(Member guest, Thread thread) {
        Member member = new Member(guest.id, thread, guest.counters);
        enter(member);
        byId.set(guest.id, member);
        return member;
    }

    /**
     * Records that the calling member will process no further event. If the pool stops and no other member is left, first waits for the
     * threads on their way that will get a slot. Such a thread may still be refused, and then the caller is the last.
     *
     * @param poolStops true if the caller has seen that the pool stops. From now on no thread may join
     * @param last true if the caller must leave last. If the pool stops, the call waits until all other members are leaving
     * @return true if the pool stops and no member processes events any more. Then the caller must do the final cleanup
     */
    synchronized boolean beginLeaving(Member member, boolean poolStops, boolean last) {
        stopping |= poolStops;
        while (stopping && (last ? leaving < count - 1 || reserved > 0 : awaitsThreadOnItsWay())) {
            try {
                wait();
            } catch (InterruptedException e) {
                member.interrupted = true;
            }
        }
        member.leaving = true;
        leaving++;
        notifyAll();
        return stopping && leaving == count && reserved == 0;
    }

    /** False if a thread on its way waits for the slot of the last member. */
    private boolean awaitsThreadOnItsWay() {
        return leaving == count - 1 && reserved > 0 && count + reserved <= max();
    }

    synchronized void remove(Member member) {
        if (member.leaving) {
            leaving--;
        }
        byId.set(member.id, null);
        count--;
        checkTerminated(stopping);
        notifyAll();
        if (member.thread == Thread.currentThread()) {
            leave();
        }
    }

    synchronized void checkTerminated(boolean poolStops) {
        stopping = poolStops;
        if (stopping && count == 0 && reserved == 0 && terminated.getCount() > 0) {
            onTermination.run();
            terminated.countDown();
        }
    }

    CountDownLatch terminated() {
        return terminated;
    }

    private void enter(Member member) {
        if (current.get() == null) {
            Integer pools = POOLS_OF_THREAD.get();
            POOLS_OF_THREAD.set(pools == null ? 1 : pools + 1);
        }
        current.set(member);
    }

    private void leave() {
        if (current.get() != null) {
            int left = POOLS_OF_THREAD.get() - 1;
            if (left == 0) {
                POOLS_OF_THREAD.remove();
            } else {
                POOLS_OF_THREAD.set(left);
            }
        }
        current.remove();
    }

    static boolean isCallerMemberOfAny() {
        return POOLS_OF_THREAD.get() != null;
    }

    Member current() {
        return current.get();
    }

    Member byId(int id) {
        return byId.get(id);
    }

    MemberCounters counters(int id) {
        return counters[id];
    }

    List<Member> present() {
        List<Member> present = new ArrayList<>();
        for (int id = 1; id < byId.length(); id++) {
            Member member = byId.get(id);
            if (member != null && member.thread != null) {
                present.add(member);
            }
        }
        return present;
    }

    PoolCounters counters(GrowingPool growing) {
        long detected = 0;
        long claimedAndMore = 0;
        long staleEvents = 0;
        long failures = 0;
        long queueFull = 0;
        long offloadsBegun = 0;
        long offloadsRefused = 0;
        long offloadsFailed = 0;
        long offloadsDropped = 0;
        for (HandleSet set : sets) {
            detected += set.detectedCount();
            claimedAndMore += set.dispatcher().claimedAndMoreCount();
            staleEvents += set.dispatcher().staleEventsCount();
            failures += set.failures().count();
            queueFull += set.queueFullCount();
            OffloadCounts offloads = set.dispatcher().offloads();
            offloadsBegun += offloads.begunCount();
            offloadsRefused += offloads.refusedCount();
            offloadsFailed += offloads.failedCount();
            offloadsDropped += offloads.droppedCount();
        }
        return new PoolCounters(
                detected,
                sum(MemberCounters.PROCESSED),
                sum(MemberCounters.EAGER_PROMOTIONS),
                sum(MemberCounters.HANDLER_PROMOTIONS),
                sum(MemberCounters.LEAVING_PROMOTIONS),
                sum(MemberCounters.RETURN_PROMOTIONS),
                sum(MemberCounters.TAKEOVERS),
                sum(MemberCounters.GAPS_OVER_LIMIT),
                largestGapNs(),
                claimedAndMore,
                staleEvents,
                sum(MemberCounters.NESTED_WAITS),
                sum(MemberCounters.NESTING_REFUSALS),
                failures,
                queueFull,
                growing == null ? 0 : growing.addedCount.valueOpaque(),
                growing == null ? 0 : growing.endedCount.valueOpaque(),
                growing == null ? 0 : growing.refusedCount.valueOpaque(),
                offloadsBegun,
                offloadsRefused,
                offloadsFailed,
                offloadsDropped);
    }

    LatencyCounters latencyCounters() {
        LatencyCounters all = LatencyCounters.NONE;
        for (MemberCounters member : counters) {
            all = member.latency == null ? all : all.plus(member.latency.read());
        }
        return all;
    }

    private long largestGapNs() {
        long largest = 0;
        for (MemberCounters member : counters) {
            largest = Math.max(largest, member.counts.valueOpaque(MemberCounters.LARGEST_GAP_NS));
        }
        return largest;
    }

    private long sum(int which) {
        long sum = 0;
        for (MemberCounters member : counters) {
            sum += member.counts.valueOpaque(which);
        }
        return sum;
    }
}
