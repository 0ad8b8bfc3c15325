/**
 * Observation of a running pool: counters, JMX, flight recordings, liveness and the watchdog.
 *
 * <p><b>Counters.</b> {@link org.cabrank.lf.LeaderFollowersPool#counters} returns the counts of a pool,
 * {@link org.cabrank.lf.LeaderFollowersPool#threads} the state and counts of each participating thread. Any thread may call both; they take
 * no lock and cost the pool nothing, because each count has one writer.
 *
 * <p><b>JMX.</b> {@link org.cabrank.lf.LeaderFollowersPool#registerBean()} registers a pool with the platform's MBean server, with each
 * figure as a read-only attribute that has a description. A reactor registers itself, its pools and its shards on request
 * ({@code org.cabrank.stream.StreamReactor.Builder#jmx}). This module's {@code README.md} lists object names.
 *
 * <p><b>Durations of a service.</b> {@link org.cabrank.lf.LeaderFollowersPool#registerBean(LatencyHistogram)} shows a service's own
 * {@link org.cabrank.lf.observe.LatencyHistogram}, with the attributes Events, P50Ns, P90Ns, P99Ns, P999Ns, MaxNs, Buckets and
 * BucketEndsNs.
 *
 * <p><b>Flight recordings.</b> If the runtime has the module {@code jdk.jfr}, every recording of the JDK Flight Recorder holds the events
 * {@code org.cabrank.Promotion}, {@code EagerPromotion}, {@code Takeover}, {@code DetectionGap}, {@code SlowHandler} and {@code Harvest};
 * {@code jfr metadata} describes their fields.
 *
 * <p><b>Handlers that hang.</b> A {@link org.cabrank.lf.Watchdog} reports a handler that runs longer than a limit, with its stack, to the
 * log or a consumer.
 *
 * <p><b>Names of threads.</b> A pool's threads are named {@code POOL-NUMBER}, from 0. A reactor's pools are named {@code REACTOR-sSHARD}:
 * {@code cabrank-s0-2} is the third thread of the first shard. Threads that all shards share
 * ({@code org.cabrank.stream.StreamReactor.Builder#sharedThreads}) are named {@code REACTOR-NUMBER}. The kernel shows up to 15 characters
 * of the name in {@code /proc/PID/task/TID/comm}, {@code top -H} and {@code perf}, so names of up to 8 characters leave room for two digits
 * each. The watchdog's thread is {@code cabrank-watchdog}, shown without its last letter.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.observe;
