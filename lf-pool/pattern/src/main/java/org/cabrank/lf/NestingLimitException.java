package org.cabrank.lf;

/**
 * A handler was about to wait for a reply, and as many waits as the pool allows stand on the thread's stack already
 * ({@link PoolConfig#nestingMax}). Nothing has happened: the handler may catch this and answer that it is busy.
 */
public final class NestingLimitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NestingLimitException(String message) {
        super(message);
    }
}
