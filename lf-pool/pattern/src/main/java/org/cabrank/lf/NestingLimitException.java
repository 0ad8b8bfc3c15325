package org.cabrank.lf;

/** Thrown if a handler must not wait because its thread has {@link PoolConfig#nestingMax} nested waits. The handler may continue. */
public final class NestingLimitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NestingLimitException(String message) {
        super(message);
    }
}
