/**
 * The Leader/Followers pattern (POSA2: Schmidt, Kircher, Buschmann, Pyarali, O'Ryan) in pure Java.
 * <pre>{@code
 * HandleSet set = ... // of a reactor: EpollHandleSet, RingHandleSet
 * try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("service", 3))) {
 *     pool.start(); // three threads take turns leading
 *     pool.awaitTermination(Duration.ofHours(1));
 * }
 * }</pre>
 * <p>A {@link org.cabrank.lf.LeaderFollowersPool} shares one {@link org.cabrank.lf.handle.HandleSet}, or several, among its threads:
 * leaders, processing threads and followers ({@link org.cabrank.lf.observe.ThreadState}). Always true:
 * <ol>
 *   <li>At most one thread leads a set ({@code LeadershipWord}).
 *   <li>Every event detected is processed exactly once, or merged into one that is still to be processed; for one handle in order and
 *       never overlapping ({@code ClaimState}).
 *   <li>Leadership is passed on on every way out: time-out, stop, exception, error, takeover.
 *   <li>Between two events the time without a leader is bounded: by a hand-over under eager promotion, by {@code maxGap} under deferred.
 * </ol>
 * <p>A <a href="doc-files/paper.html">table</a> goes through the paper section by section, with the class and the test of each.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf;
