/**
 * Observation of a running pool: counters, JMX, flight recordings, liveness and the watchdog.
 *
 * <p><b>Counters.</b> {@link org.cabrank.lf.LeaderFollowersPool#counters} returns the counts of a pool.
 * {@link org.cabrank.lf.LeaderFollowersPool#threads} returns the state and counts of each participating thread. Any thread may call these
 * methods. They take no lock and do not slow the pool down.
 *
 * <p><b>JMX.</b> {@link org.cabrank.lf.LeaderFollowersPool#registerBean()} registers a pool with the platform's MBean server. Each figure
 * is a read-only attribute with a description. A reactor registers itself, its pools and its shards on request ({@code
 * org.cabrank.stream.StreamReactor.Builder#jmx}). This module's {@code README.md} lists object names.
 *
 * <p><b>Durations of a service.</b> {@link org.cabrank.lf.LeaderFollowersPool#registerBean(LatencyHistogram)} shows a service's own {@link
 * org.cabrank.lf.observe.LatencyHistogram}, with the attributes Events, P50Ns, P90Ns, P99Ns, P999Ns, MaxNs, Buckets and BucketEndsNs.
 *
 * <p><b>Flight recordings.</b> If the runtime has the module {@code jdk.jfr}, every recording of the JDK Flight Recorder holds the events
 * {@code org.cabrank.Promotion}, {@code EagerPromotion}, {@code Takeover}, {@code DetectionGap}, {@code SlowHandler} and {@code Harvest}.
 * The command {@code jfr metadata} describes their fields.
 *
 * <p><b>Handlers that hang.</b> A {@link org.cabrank.lf.Watchdog} reports a handler that runs longer than a limit, with its stack.
 *
 * <p><b>Names of threads.</b> A pool's threads are named {@code POOL-NUMBER}, and the numbers begin at 0. A reactor's pools are named
 * {@code REACTOR-sSHARD}. So {@code cabrank-s0-2} is the third thread of the first shard. If all shards share their threads ({@code
 * org.cabrank.stream.StreamReactor.Builder#sharedThreads}), the threads are named {@code REACTOR-NUMBER}. The kernel shows up to 15
 * characters of a name, so give a reactor a name of up to 8 characters. The watchdog's thread is {@code cabrank-watchdog}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.observe;
