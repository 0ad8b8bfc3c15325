package org.cabrank.bench.handler;

/**
 * Simulated work of a handler before it answers: sometimes it blocks. Every server of the bench uses this class, so that all do the same
 * work. Safe for use by any thread.
 *
 * @param requests counter of requests; null: not counted
 */
public record HandlerWork(SlowChoice slow, RequestCounter requests) {

    /** No work: the answer is sent at once. */
    public static final HandlerWork NONE = new HandlerWork(SlowRequests.NONE);

    public HandlerWork(SlowChoice slow) {
        this(slow, null);
    }

    public HandlerWork countedBy(RequestCounter counter) {
        return new HandlerWork(slow, counter);
    }

    /**
     * Returns true if {@link #perform} may block. A handler does not know beforehand which of its requests is slow, so a server that must
     * not block the threads of its connections runs all handlers elsewhere.
     */
    public boolean mayBlock() {
        return slow.mayBlock();
    }

    /** Called once per request, before its answer, on a thread that may block. Returns true if the request was a slow one. */
    public boolean perform() {
        if (requests != null) {
            requests.add();
        }
        return slow.now().perhapsBlock();
    }
}
