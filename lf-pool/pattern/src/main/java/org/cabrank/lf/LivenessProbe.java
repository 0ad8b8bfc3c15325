package org.cabrank.lf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.observe.Liveness;

/** Compares probes of a pool to find out if it serves. The pool's threads do no extra work, and only probes take this object's lock. */
final class LivenessProbe {
    /** A thread's event counter or a set's leadership word, and the time when a probe first saw this value. */
    private static final class Seen {
        private final long mark;
        private final long sinceNs;

        Seen(long mark, long sinceNs) {
            this.mark = mark;
            this.sinceNs = sinceNs;
        }

        static Seen of(Seen before, long mark, long nowNs) {
            return before != null && before.mark == mark ? before : new Seen(mark, nowNs);
        }
    }

    private final LeaderFollowersPool pool;
    private final Members members;

    /** Indexed by set. Empty in a pool of one thread. */
    private final LeadershipWord[] words;

    private final Parking parking;

    /** Indexed by set. The element of a watched set is null. */
    private final Seen[] unwatched;

    private Seen empty;
    private Map<Member, Seen> processing = new HashMap<>();

    LivenessProbe(LeaderFollowersPool pool, Members members, LeadershipWord[] words, Parking parking) {
        this.pool = pool;
        this.members = members;
        this.words = words;
        this.parking = parking;
        this.unwatched = new Seen[words.length];
    }

    synchronized Liveness probe(long limitNs) {
        Throwable failure = pool.failure();
        if (failure != null) {
            return new Liveness(List.of(problem(
                    Liveness.Kind.POOL_FAILED, Liveness.Problem.WHOLE_POOL, 0, "failed: " + FailureLog.name(failure))));
        }
        if (pool.isTerminated()) {
            return Liveness.LIVE; // the pool has stopped on request: it need not serve
        }
        long nowNs = parking.nanoTime();
        List<Liveness.Problem> problems = new ArrayList<>();
        List<Member> present = members.present();
        lookForThreads(present, nowNs, limitNs, problems);
        lookAtHandlers(present, nowNs, limitNs, problems);
        if (!pool.isStopping()) { // sets of a stopping pool lose their leaders
            lookAtSets(nowNs, limitNs, problems);
        }
        return new Liveness(problems);
    }

    private Liveness.Problem problem(Liveness.Kind kind, int set, long lastingNs, String reason) {
        return new Liveness.Problem(pool.config().name(), kind, set, Duration.ofNanos(lastingNs), reason);
    }

    private void lookForThreads(List<Member> present, long nowNs, long limitNs, List<Liveness.Problem> problems) {
        empty = present.isEmpty() ? Seen.of(empty, 0, nowNs) : null;
        if (empty != null && nowNs - empty.sinceNs >= limitNs) {
            long lastingNs = nowNs - empty.sinceNs;
            problems.add(problem(
                    Liveness.Kind.NO_THREADS,
                    Liveness.Problem.WHOLE_POOL,
                    lastingNs,
                    "no thread takes part for " + inMs(lastingNs)));
        }
    }

    private void lookAtHandlers(List<Member> present, long nowNs, long limitNs, List<Liveness.Problem> problems) {
        Map<Member, Seen> inProgress = new HashMap<>();
        int busy = 0;
        long shortestNs = Long.MAX_VALUE;
        for (Member member : present) {
            if (member.isProcessingOpaque()) {
                Seen seen = Seen.of(processing.get(member), member.processedOpaque(), nowNs);
                inProgress.put(member, seen);
                shortestNs = Math.min(shortestNs, nowNs - seen.sinceNs);
                busy++;
            }
        }
        processing = inProgress;
        if (busy > 0 && busy == present.size() && shortestNs >= limitNs) {
            long blocked = present.stream().filter(parking::isBlocked).count();
            problems.add(problem(
                    Liveness.Kind.ALL_THREADS_BLOCKED,
                    Liveness.Problem.WHOLE_POOL,
                    shortestNs,
                    "all " + busy + " threads run one handler each for " + inMs(shortestNs) + ", " + blocked
                            + " of them blocked"));
        }
    }

    private void lookAtSets(long nowNs, long limitNs, List<Liveness.Problem> problems) {
        for (int set = 0; set < words.length; set++) {
            long word = words[set].wordAcquire();
            unwatched[set] = isWatched(word) ? null : Seen.of(unwatched[set], word, nowNs);
            if (unwatched[set] != null && nowNs - unwatched[set].sinceNs >= limitNs) {
                long lastingNs = nowNs - unwatched[set].sinceNs;
                problems.add(problem(
                        Liveness.Kind.UNWATCHED_SET,
                        set,
                        lastingNs,
                        "handle set " + set + " is not watched for " + inMs(lastingNs) + ": " + why(word)));
            }
        }
    }

    private boolean isWatched(long word) {
        return LeadershipWord.phase(word) == LeadershipWord.DETECTING && isAlive(LeadershipWord.owner(word));
    }

    private boolean isAlive(int owner) {
        Member member = members.byId(owner);
        return member != null && member.thread != null && member.thread.isAlive();
    }

    private String why(long word) {
        int owner = LeadershipWord.owner(word);
        if (owner == 0) {
            return "leadership is vacant";
        }
        Member leader = members.byId(owner);
        if (!isAlive(owner)) {
            return "its leader has left";
        }
        return "its leader " + leader.thread.getName()
                + (LeadershipWord.phase(word) == LeadershipWord.PROCESSING
                        ? " runs a handler, and no follower has taken over"
                        : " does not come to watch it");
    }

    private static String inMs(long ns) {
        return ns / 1_000_000 + " ms";
    }
}
