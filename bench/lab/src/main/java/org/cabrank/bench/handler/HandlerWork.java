package org.cabrank.bench.handler;

/** Simulated work before an answer, the same in every server of the bench. Any thread. {@code requests}: null if not counted. */
public record HandlerWork(SlowChoice slow, RequestCounter requests) {

    public static final HandlerWork NONE = new HandlerWork(SlowRequests.NONE);

    public HandlerWork(SlowChoice slow) {
        this(slow, null);
    }

    public HandlerWork countedBy(RequestCounter counter) {
        return new HandlerWork(slow, counter);
    }

    /** True if {@link #perform} may block: a server whose connection threads must not block then runs all handlers in other threads. */
    public boolean mayBlock() {
        return slow.mayBlock();
    }

    /** Called once per request, before its answer, on a thread that may block. Returns true for a slow request. */
    public boolean perform() {
        if (requests != null) {
            requests.add();
        }
        return slow.now().perhapsBlock();
    }
}
