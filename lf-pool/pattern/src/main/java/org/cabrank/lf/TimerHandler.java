package org.cabrank.lf;

/** Handler that a {@link Timer} calls at its deadlines. */
@FunctionalInterface
public interface TimerHandler {
    /**
     * Called when a deadline has passed, by any thread of the pool, but by one thread at a time for each timer. An exception is counted,
     * and logged once per kind; a periodic timer continues. The handler may cancel {@code timer} or read {@link Timer#missed}.
     */
    void timerExpired(Timer timer) throws Exception;
}
