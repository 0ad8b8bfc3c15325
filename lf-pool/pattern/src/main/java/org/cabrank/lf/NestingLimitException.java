package org.cabrank.lf;

/** A wait nested deeper than {@link PoolConfig#nestingMax} was refused, without any effect: the handler may answer that it is busy. */
public final class NestingLimitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NestingLimitException(String message) {
        super(message);
    }
}
