package org.cabrank.bench.model;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A handle set and its threads. One of them leads: it waits for events and takes them from the ready list. The others process or
 * sleep; those that slept last are woken first.
 */
final class Shard {

    /** A connection's request. */
    interface Request {
        /** On a core, the work included. */
        double costNs();

        /** Without a core; 0: not at all. */
        double blocksNs();

        /** Who served the connection last; null: nobody yet. */
        Worker servedBy();

        void serveBy(Worker worker);

        void answered();
    }

    /** A thread. */
    static final class Worker {
        private final int node;

        Worker(int node) {
            this.node = node;
        }
    }

    private final Costs costs;
    private final boolean eager;
    private final double maxGapNs;
    private final VirtualTime time;
    private final Cores cores;
    private final Deque<Worker> asleep = new ArrayDeque<>();
    private final Deque<Request> arrived = new ArrayDeque<>();
    private final Deque<Request> ready = new ArrayDeque<>();
    /** Null: whoever comes back next leads. */
    private Worker leader;

    private Worker lastLeader;
    /** In the kernel, without an event. */
    private boolean leaderWaits;

    /** Tells one event of a deferring leader from the next one. */
    private long turn;

    private long promotions;
    private long takeovers;

    Shard(int number, Scenario scenario, Costs costs, VirtualTime time, Cores cores) {
        this.costs = costs;
        this.time = time;
        this.cores = cores;
        eager = scenario.eager() && scenario.threads() > 1;
        maxGapNs = scenario.maxGapNs();
        for (int thread = scenario.threads() - 1; thread >= 0; thread--) {
            asleep.push(new Worker(scenario.node(number, thread)));
        }
        leader = asleep.pop();
        lastLeader = leader;
        leaderWaits = true;
    }

    long promotions() {
        return promotions;
    }

    long takeovers() {
        return takeovers;
    }

    void arrive(Request request) {
        arrived.add(request);
        if (leaderWaits) {
            leaderWaits = false;
            Worker woken = leader;
            time.after(costs.wakeupNs(), () -> harvest(woken));
        }
    }

    private void harvest(Worker worker) {
        cores.work(costs.harvestNs(), () -> {
            ready.addAll(arrived);
            arrived.clear();
            takeNext(worker);
        });
    }

    private void takeNext(Worker worker) {
        Request request = ready.poll();
        if (request == null) {
            if (arrived.isEmpty()) {
                leaderWaits = true;
            } else {
                harvest(worker);
            }
        } else if (eager) {
            boolean wakes = handOver();
            process(worker, request, wakes ? costs.unparkNs() : 0);
        } else {
            deferTakeover();
            process(worker, request, 0);
        }
    }

    /** True: a sleeping follower is woken to lead. */
    private boolean handOver() {
        Worker successor = asleep.poll();
        leader = successor;
        if (successor == null) {
            return false;
        }
        time.after(costs.wakeupNs(), () -> lead(successor));
        return true;
    }

    /** The standby looks by a timer: nobody has to wake it. */
    private void deferTakeover() {
        if (asleep.isEmpty()) {
            return;
        }
        long own = turn;
        time.after(maxGapNs, () -> {
            Worker standby = asleep.peek();
            if (turn == own && standby != null) {
                turn++;
                asleep.pop();
                takeovers++;
                leader = standby;
                lead(standby);
            }
        });
    }

    /** Leadership is the caller's already: it has to come to its core. */
    private void lead(Worker worker) {
        boolean moves = lastLeader != worker;
        double ns = costs.promotionNs() + (moves ? costs.promotionLines() * transferNs(lastLeader, worker) : 0);
        promotions += moves ? 1 : 0;
        lastLeader = worker;
        cores.work(ns, () -> takeNext(worker));
    }

    private void process(Worker worker, Request request, double moreNs) {
        Worker before = request.servedBy();
        double linesNs = before == null || before == worker ? 0 : costs.connectionLines() * transferNs(before, worker);
        request.serveBy(worker);
        cores.work(request.costNs() + linesNs + moreNs, () -> {
            if (request.blocksNs() > 0) {
                time.after(request.blocksNs(), () -> answer(worker, request));
            } else {
                answer(worker, request);
            }
        });
    }

    private void answer(Worker worker, Request request) {
        request.answered();
        if (leader == worker) { // it deferred, and nobody has taken over
            turn++;
            takeNext(worker);
        } else if (leader == null) {
            leader = worker;
            lead(worker);
        } else {
            asleep.push(worker);
        }
    }

    private double transferNs(Worker from, Worker to) {
        return from.node == to.node ? costs.transferNs() : costs.remoteTransferNs();
    }
}
