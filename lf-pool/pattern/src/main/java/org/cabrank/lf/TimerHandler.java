package org.cabrank.lf;

/** Handler that a {@link Timer} calls at its deadlines. */
@FunctionalInterface
public interface TimerHandler {
    /**
     * Called when a deadline has passed, by any thread of the pool, but never by two threads at once for the same timer. If it throws, the
     * exception is counted and logged once per kind, and a periodic timer continues. The handler may cancel {@code timer}.
     */
    void timerExpired(Timer timer) throws Exception;
}
