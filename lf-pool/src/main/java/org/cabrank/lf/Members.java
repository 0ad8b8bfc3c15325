package org.cabrank.lf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The threads that take part in a pool, each with a number of its own while it does. */
final class Members {
    private final List<HandleSet> sets;
    /** Changed with the lock held, read without. */
    private final AtomicReferenceArray<Member> byId;

    private final MemberCounters[] counters;
    private final ThreadLocal<Member> current = new ThreadLocal<>();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private int count;

    /** Of those, the ones that process nothing more. */
    private int leaving;

    private boolean stopping;

    Members(int max, List<HandleSet> sets, boolean latencyMeasured) {
        this.sets = sets;
        byId = new AtomicReferenceArray<>(max + 1);
        counters = new MemberCounters[max + 1];
        Arrays.setAll(counters, id -> new MemberCounters(latencyMeasured ? new LatencyCounts() : null));
    }

    /** Takes a number, for a thread that may not run yet; null: the pool stops, or has its full number of threads. */
    synchronized Member reserve() {
        if (stopping) {
            return null; // it may have been reported as terminated already
        }
        for (int id = 1; id < byId.length(); id++) {
            if (byId.get(id) == null) {
                Member reserved = new Member(id, null, sets.size(), counters[id]);
                byId.set(id, reserved);
                count++;
                return reserved;
            }
        }
        return null;
    }

    /** The calling thread becomes the member that was reserved. */
    synchronized Member adopt(Member reserved, Thread thread) {
        Member member = new Member(reserved.id, thread, sets.size(), reserved.counters);
        byId.set(reserved.id, member);
        current.set(member);
        return member;
    }

    /**
     * The calling member processes nothing more.
     *
     * @param poolStops nobody may join any more, even if the thread that stops the pool has not come so far yet
     * @return true: the pool stops, and nobody is left that might: the caller sees to what the others have left behind
     */
    synchronized boolean beginLeaving(Member member, boolean poolStops) {
        stopping |= poolStops;
        member.leaving = true;
        leaving++;
        return stopping && leaving == count;
    }

    synchronized void remove(Member member) {
        if (member.leaving) {
            leaving--;
        }
        byId.set(member.id, null);
        if (member.thread == Thread.currentThread()) {
            current.remove();
        }
        count--;
        checkTerminated(stopping);
    }

    synchronized void checkTerminated(boolean poolStops) {
        stopping = poolStops;
        if (stopping && count == 0) {
            terminated.countDown();
        }
    }

    CountDownLatch terminated() {
        return terminated;
    }

    /** The member that the calling thread is, or null. */
    Member current() {
        return current.get();
    }

    /** The member that has this number now, or null. */
    Member byId(int id) {
        return byId.get(id);
    }

    /** Of the members that have this number, one after the other. */
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

    PoolCounters counters() {
        long detected = 0;
        long claimedAndMore = 0;
        long staleEvents = 0;
        long failures = 0;
        long queueFull = 0;
        for (HandleSet set : sets) {
            detected += set.detectedCount();
            for (ReadyList list : set.readyLists()) {
                claimedAndMore += list.claimedAndMoreOpaque();
                staleEvents += list.staleEventsOpaque();
            }
            failures += set.failures().count();
            queueFull += set.queueFullCount();
        }
        return new PoolCounters(
                detected,
                sum(MemberCounters.PROCESSED),
                sum(MemberCounters.EAGER_PROMOTIONS),
                sum(MemberCounters.HANDLER_PROMOTIONS),
                sum(MemberCounters.LEAVING_PROMOTIONS),
                sum(MemberCounters.DEPOSITIONS),
                sum(MemberCounters.GAPS_OVER_LIMIT),
                largestGapNs(),
                claimedAndMore,
                staleEvents,
                sum(MemberCounters.NESTED_WAITS),
                sum(MemberCounters.NESTING_REFUSALS),
                failures,
                queueFull);
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
