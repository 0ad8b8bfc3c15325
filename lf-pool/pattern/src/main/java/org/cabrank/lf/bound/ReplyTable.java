package org.cabrank.lf.bound;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.lf.Reply;

/**
 * Threads and the replies that they wait for. Any thread may call any method.
 *
 * <p>An expectation leaves the table exactly once: answered, given up or failed. It leaves under the table's lock, under which the reply is
 * also completed: a thread whose time is up and which no longer finds its expectation finds the reply completed. Wake-ups follow without
 * the lock. The outcomes of the last {@link BoundThreadPool#REMEMBERED_MAX} requests distinguish late and duplicate replies from unknown
 * ones. When an id is used again, its earlier outcome is forgotten: a late reply to the first request would answer the second.
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

    /** Throws IllegalStateException if a reply with this id is expected already; IOException (with cause) if the connection is broken. */
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

    /** Returns true if a thread expects the received reply. Counts an unexpected reply. */
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
                // Completed at once, because no other thread completes a reply that has left the table.
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

    /** Returns false if the expectation was already answered or failed. */
    synchronized boolean giveUp(ExpectedReply<K, R> expectation) {
        if (!expected.remove(expectation.id, expectation)) {
            return false;
        }
        givenUp++;
        remembered.put(expectation.id, Fate.GIVEN_UP);
        return true;
    }

    /** Called when the connection breaks: fails all expectations, and refuses later ones. The cause of the first call is kept. */
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
