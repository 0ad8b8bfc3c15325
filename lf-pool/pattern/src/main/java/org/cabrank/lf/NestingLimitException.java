package org.cabrank.lf;

/** A wait nested deeper than {@link PoolConfig#nestingMax} was refused. The refusal has no effect: the handler may send a "busy" answer. */
public final class NestingLimitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NestingLimitException(String message) {
        super(message);
    }
}
