/**
 * The Leader/Followers pattern (POSA2: Schmidt, Kircher, Buschmann, Pyarali, O'Ryan) in pure Java.
 * <pre>{@code
 * HandleSet set = ... // of a reactor: EpollHandleSet, RingHandleSet
 * try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("service", 3))) {
 *     pool.start(); // three threads take turns leading
 *     pool.awaitTermination(Duration.ofHours(1));
 * }
 * }</pre>
 * <p>A {@link org.cabrank.lf.LeaderFollowersPool} shares one or several {@link org.cabrank.lf.handle.HandleSet}s among its threads:
 * leaders, processing threads and followers ({@link org.cabrank.lf.observe.ThreadState}). Invariants:
 * <ol>
 *   <li>At most one thread leads a set ({@code LeadershipWord}).
 *   <li>Every detected event is processed exactly once, or merged into an event that is still to be processed. Events of one handle are
 *       processed in order, never at the same time ({@code ClaimState}).
 *   <li>A leader always passes leadership on when it stops leading, even after a time-out, a stop, an exception or an error.
 *   <li>The time without a leader between two events is bounded by a hand-over (eager promotion) or {@code maxGap} (deferred promotion).
 * </ol>
 * <p>A <a href="doc-files/paper.html">table</a> lists the sections of the paper, with the class and the test of each section.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf;
