package org.cabrank.lf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The threads that take part in a pool, each with a number of its own while it does. */
final class Members {
    private final List<HandleSet> sets;
    private final Member[] byId;
    private final ThreadLocal<Member> current = new ThreadLocal<>();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private long processedByGone;
    private long promotionsOfGone;
    private long depositionsByGone;
    private long nestedWaitsOfGone;
    private long nestingRefusalsOfGone;
    private int count;
    private boolean stopping;

    Members(int max, List<HandleSet> sets) {
        this.sets = sets;
        byId = new Member[max + 1];
    }

    /** Takes a number, for a thread that may not run yet; null: the pool stops, or has its full number of threads. */
    synchronized Member reserve() {
        if (stopping) {
            return null; // it may have been reported as terminated already
        }
        for (int id = 1; id < byId.length; id++) {
            if (byId[id] == null) {
                byId[id] = new Member(id, null, sets.size());
                count++;
                return byId[id];
            }
        }
        return null;
    }

    /** The calling thread becomes the member that was reserved. */
    synchronized Member adopt(Member reserved, Thread thread) {
        Member member = new Member(reserved.id, thread, sets.size());
        byId[reserved.id] = member;
        current.set(member);
        return member;
    }

    synchronized void remove(Member member) {
        byId[member.id] = null;
        processedByGone += member.processed.valueOpaque();
        promotionsOfGone += member.promotions.valueOpaque();
        depositionsByGone += member.depositions.valueOpaque();
        nestedWaitsOfGone += member.nestedWaits.valueOpaque();
        nestingRefusalsOfGone += member.nestingRefusals.valueOpaque();
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

    synchronized List<Member> present() {
        List<Member> present = new ArrayList<>();
        for (Member member : byId) {
            if (member != null && member.thread != null) {
                present.add(member);
            }
        }
        return present;
    }

    synchronized PoolCounters counters() {
        long processed = processedByGone;
        long promotions = promotionsOfGone;
        long depositions = depositionsByGone;
        long nestedWaits = nestedWaitsOfGone;
        long nestingRefusals = nestingRefusalsOfGone;
        for (Member member : present()) {
            processed += member.processed.valueOpaque();
            promotions += member.promotions.valueOpaque();
            depositions += member.depositions.valueOpaque();
            nestedWaits += member.nestedWaits.valueOpaque();
            nestingRefusals += member.nestingRefusals.valueOpaque();
        }
        long detected = 0;
        long claimedAndMore = 0;
        long staleEvents = 0;
        long failures = 0;
        for (HandleSet set : sets) {
            for (ReadyList list : set.readyLists()) {
                detected += list.detectedOpaque();
                claimedAndMore += list.claimedAndMoreOpaque();
                staleEvents += list.staleEventsOpaque();
            }
            failures += set.failures().count();
        }
        return new PoolCounters(
                detected,
                processed,
                promotions,
                depositions,
                claimedAndMore,
                staleEvents,
                nestedWaits,
                nestingRefusals,
                failures);
    }
}
