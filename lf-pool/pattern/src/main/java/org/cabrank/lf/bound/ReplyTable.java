package org.cabrank.lf.bound;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.lf.Reply;

/**
 * The replies that threads wait for. Any thread may call any method.
 *
 * <p>An expectation leaves the table exactly once. It is answered, given up or failed. The table's lock is held while the expectation
 * leaves and its reply is completed. So if a thread whose time is up no longer finds its expectation, the reply is complete. Threads are
 * woken without the lock.
 *
 * <p>The table remembers the outcomes of the last {@link BoundThreadPool#REMEMBERED_MAX} requests, to distinguish late and duplicate
 * replies from unknown replies. If an id is used again, the earlier outcome is forgotten. A late reply to the first request would then
 * answer the second request.
 */
final class ReplyTable<K, R> {
    private enum Fate {
        ANSWERED,
        GIVEN_UP
    }

    private final Map<K, ExpectedReply<K, R>> expected = new HashMap<>();
    private final Map<K, Fate> remembered = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Fate> eldest) {
            return size() > BoundThreadPool.REMEMBERED_MAX;
        }
    };

    private Throwable broken;
    private long answered;
    private long givenUp;
    private long failed;
    private long late;
    private long duplicate;
    private long unknown;

    synchronized ExpectedReply<K, R> expect(K id, Reply<R> reply) throws IOException {
        if (broken != null) {
            throw new IOException("the connection is broken: " + broken.getMessage(), broken);
        }
        ExpectedReply<K, R> expectation = new ExpectedReply<>(this, id, reply);
        if (expected.putIfAbsent(id, expectation) != null) {
            throw new IllegalStateException("a reply to request " + id + " is expected already");
        }
        remembered.remove(id);
        return expectation;
    }

    synchronized boolean isExpected(K id) {
        if (id != null && expected.containsKey(id)) {
            return true;
        }
        countUnexpected(id);
        return false;
    }

    private void countUnexpected(K id) {
        Fate fate = id == null ? null : remembered.get(id);
        if (fate == null) {
            unknown++;
        } else if (fate == Fate.ANSWERED) {
            duplicate++;
        } else {
            remembered.put(id, Fate.ANSWERED); // a second reply would be a duplicate
            late++;
        }
    }

    /** Hands the reply to its thread. If the thread has just given up, counts the reply as late and returns false. */
    boolean answer(K id, R value) {
        ExpectedReply<K, R> expectation = null;
        try {
            synchronized (this) {
                expectation = expected.remove(id);
                if (expectation == null) {
                    countUnexpected(id);
                    return false;
                }
                // The return value is not needed, because a reply leaves the table only once and no other thread
                // completes it.
                expectation.reply.completeWithoutWaking(value);
                answered++;
                remembered.put(id, Fate.ANSWERED);
            }
        } finally {
            if (expectation != null) {
                expectation.reply.wakeWaiter();
            }
        }
        return true;
    }

    synchronized boolean giveUp(ExpectedReply<K, R> expectation) {
        if (!expected.remove(expectation.id, expectation)) {
            return false;
        }
        givenUp++;
        remembered.put(expectation.id, Fate.GIVEN_UP);
        return true;
    }

    /** Fails all expectations and refuses later ones. Called when the connection breaks. The first cause is kept. */
    void breakOff(Throwable cause) {
        List<ExpectedReply<K, R>> all;
        synchronized (this) {
            if (broken == null) {
                broken = cause;
            }
            all = List.copyOf(expected.values());
            expected.clear();
            failed += all.size();
            all.forEach(expectation -> expectation.reply.failWithoutWaking(broken));
        }
        all.forEach(expectation -> expectation.reply.wakeWaiter());
    }

    synchronized BoundCounters counters() {
        return new BoundCounters(expected.size(), answered, givenUp, failed, late, duplicate, unknown);
    }
}
