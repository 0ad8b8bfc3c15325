package org.cabrank.bench.handler;

/** Simulates the work of a request. {@code requests} is null if requests are not counted. Safe for use by any thread. */
public record HandlerWork(SlowChoice slow, RequestCounter requests) {

    public static final HandlerWork NONE = new HandlerWork(SlowRequests.NONE);

    public HandlerWork(SlowChoice slow) {
        this(slow, null);
    }

    public HandlerWork countedBy(RequestCounter counter) {
        return new HandlerWork(slow, counter);
    }

    /** Returns true if {@link #perform} may block. A server must then call it on a thread that serves no other connection. */
    public boolean mayBlock() {
        return slow.mayBlock();
    }

    /** Must be called once for each request, before its answer, on a thread that may block. Returns true if the request was slow. */
    public boolean perform() {
        if (requests != null) {
            requests.add();
        }
        return slow.now().perhapsBlock();
    }
}
