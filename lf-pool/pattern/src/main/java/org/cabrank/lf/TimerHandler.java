package org.cabrank.lf;

/** What is done when a {@link Timer} expires. */
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
