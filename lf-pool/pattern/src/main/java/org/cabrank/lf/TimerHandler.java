package org.cabrank.lf;

/** Handler of the expiry of a {@link Timer}. */
@FunctionalInterface
public interface TimerHandler {
    /**
     * A deadline has passed. Called by any thread of the pool, for one timer never by two at a time.
     *
     * @param timer to cancel it, or to ask what it has {@linkplain Timer#missed missed}
     * @throws Exception is counted, and logged once per kind; a periodic timer goes on
     */
    void timerExpired(Timer timer) throws Exception;
}
