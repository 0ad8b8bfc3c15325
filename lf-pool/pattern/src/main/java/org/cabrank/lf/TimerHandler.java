package org.cabrank.lf;

/** Handler of the expiry of a {@link Timer}. */
@FunctionalInterface
public interface TimerHandler {
    /**
     * Called by any thread of the pool, at most one per timer, when a deadline has passed. An exception is counted, and logged once per
     * kind; a periodic timer goes on. {@code timer} may be cancelled or asked what it has {@linkplain Timer#missed missed}.
     */
    void timerExpired(Timer timer) throws Exception;
}
