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
 * {@link org.cabrank.lf.observe.ThreadCounters}. Both can be called at any time by any thread, take no lock, and cost the pool
 * nothing: a count has one writer, and is read as it is.
 *
 * <h2>JMX</h2>
 *
 * <p>{@link org.cabrank.lf.observe.BeanRegistration} registers an object with the platform's MBean server, where each of its {@link
 * org.cabrank.lf.observe.Figures} is a read-only attribute; a reactor does so for itself and its shards if
 * {@code org.cabrank.stream.StreamReactor.Builder#jmx} asks for them. {@link org.cabrank.lf.observe.PoolFigures} lists the figures of
 * a pool.
 *
 * <table>
 *   <caption>Object names</caption>
 *   <tr><th>name</th><th>of</th></tr>
 *   <tr><td>{@code org.cabrank:type=Pool,name=N}</td><td>the pool N</td></tr>
 *   <tr><td>{@code org.cabrank:type=Pool,name=N,shard=S}</td><td>the pool that serves shard S of the reactor N</td></tr>
 *   <tr><td>{@code org.cabrank:type=Shard,name=N,shard=S}</td><td>counts of shard S of the reactor N, as {@code
 *       org.cabrank.stream.ReactorFigures} lists them, like the next two</td></tr>
 *   <tr><td>{@code org.cabrank:type=Reactor,name=N}</td><td>the backend of the reactor N, its listeners, limits, and the cause of a
 *       failure</td></tr>
 *   <tr><td>{@code org.cabrank:type=Balance,name=N}</td><td>distribution of load over the shards of the reactor N</td></tr>
 *   <tr><td>the same with {@code ,instance=I}</td><td>the I-th of the same name, from 2</td></tr>
 * </table>
 *
 * <table>
 *   <caption>Attributes</caption>
 *   <tr><th>attribute</th><th>meaning</th></tr>
 *   <tr><td>Name, ThreadsMax, Promotion, Order, Waiting</td><td>the pool's configuration</td></tr>
 *   <tr><td>Terminated</td><td>it was stopped and every thread has left</td></tr>
 *   <tr><td>ThreadsPresent</td><td>threads that take part</td></tr>
 *   <tr><td>Threads</td><td>of each thread that takes part: Name, State (LEADER, PROCESSING, FOLLOWER), Set, Owner
 *       (leadership is its, even while it processes), and since it joined: Processed, Promotions, Takeovers</td></tr>
 *   <tr><td>Handles</td><td>registered at this moment</td></tr>
 *   <tr><td>Detected</td><td>events that the kernel reported</td></tr>
 *   <tr><td>Processed</td><td>calls of handlers</td></tr>
 *   <tr><td>EagerPromotions, HandlerPromotions, LeavingPromotions</td><td>hand-overs of leadership before an event was
 *       processed, by a handler, and by a leader that left</td></tr>
 *   <tr><td>Takeovers</td><td>takeovers from a leader that processed for too long</td></tr>
 *   <tr><td>GapsOverLimit</td><td>those that came later than {@code maxGap}, for certain</td></tr>
 *   <tr><td>LargestGapNs</td><td>the longest of all gaps at a takeover, as far as it is certain</td></tr>
 *   <tr><td>ClaimedAndMore</td><td>events met while their handle was being processed</td></tr>
 *   <tr><td>StaleEvents</td><td>events of handles that had been closed</td></tr>
 *   <tr><td>NestedWaits, NestingRefusals</td><td>handlers that waited for a reply, and that were not allowed to</td></tr>
 *   <tr><td>Failures</td><td>handlers that threw, and descriptors that could not be closed</td></tr>
 *   <tr><td>QueueFull</td><td>tasks and writes that a full queue has refused</td></tr>
 *   <tr><td>KernelRetries</td><td>waits and submissions that the kernel has refused for now, for want of memory</td></tr>
 *   <tr><td>Failure</td><td>why the pool stopped by itself; null while it has not</td></tr>
 *   <tr><td>Live, LivenessProblems</td><td>a probe of whether the pool serves, and what is wrong otherwise: {@link
 *       org.cabrank.lf.observe.Liveness}</td></tr>
 *   <tr><td>OffloadsBegun, OffloadsFailed</td><td>work that was handed to executors, and that has thrown</td></tr>
 *   <tr><td>HandOvers, HandOverWaitNs</td><td>leaderships that followers were given, and for how long nobody watched until they
 *       had woken up</td></tr>
 *   <tr><td>Wakeups, FailedTakeovers, LockWaits</td><td>what else passing leadership on has cost: {@link
 *       org.cabrank.lf.observe.LeadershipCounters}</td></tr>
 *   <tr><td>LatencyMeasured</td><td>true if the configuration has the other attributes of this name measured</td></tr>
 *   <tr><td>LatencyEvents, LatencyP50Ns, LatencyP90Ns, LatencyP99Ns, LatencyP999Ns, LatencyMaxNs, LatencyBuckets,
 *       LatencyBucketEndsNs</td><td>how long events have taken, from when they were detected to the handler's end: {@link
 *       org.cabrank.lf.observe.LatencyCounters}</td></tr>
 *   <tr><td>Contended, Contention</td><td>whether that is too much, and what to do about it: {@link
 *       org.cabrank.lf.observe.Contention}, which the log says once, too</td></tr>
 * </table>
 *
 * <h2>Durations of a service</h2>
 *
 * <p>A service records durations of its own in a {@link org.cabrank.lf.observe.LatencyHistogram}, which has the buckets of the pool's
 * latencies. {@link org.cabrank.lf.observe.BeanRegistration#registerHistogram} shows a histogram as
 * {@code org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM}, with the attributes Events, P50Ns, P90Ns, P99Ns, P999Ns, MaxNs,
 * Buckets and BucketEndsNs.
 *
 * <h2>Flight recordings</h2>
 *
 * <p>Where the runtime has the module {@code jdk.jfr}, a recording of the JDK Flight Recorder, whenever it is started and by
 * whatever means, holds these events. Each names its thread, the pool ({@code pool}) and the index of the handle set among
 * those of the pool ({@code handleSet}). Without a recording none of them costs more than the look at one flag.
 *
 * <table>
 *   <caption>Events</caption>
 *   <tr><th>event</th><th>when</th><th>fields</th></tr>
 *   <tr><td>{@code org.cabrank.Promotion}</td><td>leadership was passed on by a handler or by a leader that left; with the
 *       stack</td><td>{@code kind}: handler or leaving; {@code promoted}: the new leader, none where nobody waited</td></tr>
 *   <tr><td>{@code org.cabrank.EagerPromotion}</td><td>under eager promotion, once for each event; only recorded if it is
 *       enabled by name</td><td>{@code promoted}</td></tr>
 *   <tr><td>{@code org.cabrank.Takeover}</td><td>a follower took over</td><td>{@code deposed}: the thread that led;
 *       {@code handle}: whose event it was processing; {@code unwatchedNs}: how long it had, at least</td></tr>
 *   <tr><td>{@code org.cabrank.DetectionGap}</td><td>with a takeover that came later than the limit, for certain</td>
 *       <td>{@code unwatchedNs}: for how long nobody had watched the set, at least; {@code limitNs}: {@code maxGap}</td></tr>
 *   <tr><td>{@code org.cabrank.SlowHandler}</td><td>a handler ran for longer than the threshold, 10 ms unless the recording
 *       says otherwise; while a recording wants it, each handler costs two readings of the recorder's clock</td>
 *       <td>{@code duration}; {@code handle}; {@code handler}: its class; {@code ready}: what the handle was ready for;
 *       {@code waitedNs}: from the return of the wait that reported the event to the start of the handler</td>
 *       </tr>
 *   <tr><td>{@code org.cabrank.Harvest}</td><td>a wait for events has returned some; only recorded if it is enabled by name</td>
 *       <td>{@code duration} of the wait; {@code events}: number of events</td></tr>
 * </table>
 *
 * <h2>Handlers that hang</h2>
 *
 * <p>A {@link org.cabrank.lf.observe.Watchdog} reports a handler that has run for longer than a limit while it still runs, with its
 * stack, to the log or to a consumer.
 *
 * <h2>Names of threads</h2>
 *
 * <p>A pool's threads are named {@code POOL-NUMBER}, from 0. The pools of a reactor are named {@code REACTOR-sSHARD}, so their
 * threads {@code REACTOR-sSHARD-NUMBER}: {@code cabrank-s0-2} is the third thread of the first shard. Threads that all shards
 * share ({@code org.cabrank.stream.StreamReactor.Builder#sharedThreads}) are named {@code REACTOR-NUMBER}. The kernel shows the
 * same name in {@code /proc/PID/task/TID/comm}, in {@code top -H} and in {@code perf}, of which 15 characters: a reactor's name
 * of up to 8 leaves room for two digits each. The watchdog's thread is {@code cabrank-watchdog}, less its last
 * letter there.
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.lf.observe;
