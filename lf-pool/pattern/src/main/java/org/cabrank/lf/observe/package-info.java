/**
 * Observation of a running pool: counters, JMX, flight recordings, liveness and the watchdog.
 *
 * <pre>{@code
 * PoolCounters counters = pool.counters();
 * long slow = counters.takeovers();
 * }</pre>
 *
 * <h2>Counters</h2>
 *
 * <p>{@link org.cabrank.lf.LeaderFollowersPool#counters} answers {@link org.cabrank.lf.observe.PoolCounters}, whose components say
 * what each counts; {@link org.cabrank.lf.LeaderFollowersPool#threads} answers, for each thread that takes part, its state and
 * its counts. Both can be called at any time by any thread, take no lock, and cost the pool
 * nothing: a count has one writer, and is read as it is.
 *
 * <h2>JMX</h2>
 *
 * <p>{@link org.cabrank.lf.LeaderFollowersPool#registerBean()} registers a pool with the platform's MBean server, where each figure is a
 * read-only attribute. A reactor registers itself, its pools and its shards if {@code org.cabrank.stream.StreamReactor.Builder#jmx} asks
 * for them.
 *
 * <p>The page {@code README.md} of this module lists object names; each attribute has its description.
 *
 * <h2>Durations of a service</h2>
 *
 * <p>A service records durations of its own in a {@link org.cabrank.lf.observe.LatencyHistogram}, which has the buckets of the pool's
 * latencies. {@link org.cabrank.lf.LeaderFollowersPool#registerBean(LatencyHistogram)} shows a histogram as
 * {@code org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM}, with the attributes Events, P50Ns, P90Ns, P99Ns, P999Ns, MaxNs,
 * Buckets and BucketEndsNs.
 *
 * <h2>Flight recordings</h2>
 *
 * <p>Where the runtime has the module {@code jdk.jfr}, a recording of the JDK Flight Recorder, whenever it is started and by
 * whatever means, holds the events {@code org.cabrank.Promotion}, {@code EagerPromotion}, {@code Takeover}, {@code DetectionGap},
 * {@code SlowHandler} and {@code Harvest}, whose fields {@code jfr metadata} describes.
 *
 * <h2>Handlers that hang</h2>
 *
 * <p>A {@link org.cabrank.lf.Watchdog} reports a handler that has run for longer than a limit while it still runs, with its
 * stack, to the log or to a consumer.
 *
 * <h2>Names of threads</h2>
 *
 * <p>A pool's threads are named {@code POOL-NUMBER}, from 0. The pools of a reactor are named {@code REACTOR-sSHARD}, so their
 * threads {@code REACTOR-sSHARD-NUMBER}: {@code cabrank-s0-2} is the third thread of the first shard. Threads that all shards
 * share ({@code org.cabrank.stream.StreamReactor.Builder#sharedThreads}) are named {@code REACTOR-NUMBER}. The kernel shows the
 * same name in {@code /proc/PID/task/TID/comm}, in {@code top -H} and in {@code perf}, up to 15 characters. A name of up
 * to 8 characters leaves room for two digits each. The watchdog's thread is {@code cabrank-watchdog}, less its last
 * letter there.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.observe;
