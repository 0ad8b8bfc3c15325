/**
 * {@code cabrank bench model}: shards and threads on machines that are not here, simulated from the costs measured on this one.
 *
 * <p>A closed queueing model, simulated event by event in virtual time, and deterministic: the same costs and seed give the same
 * result. What it assumes:
 *
 * <ul>
 *   <li>Every request costs the same on a core: the reactor's own part and the given work. Some may block a thread besides.
 *   <li>Connections are shared evenly among shards and stay there; each has one request under way or waits for the next, for a
 *       time that is exponentially distributed (network and client).
 *   <li>A leader gets all events that are ready with one call; the call costs the same for one as for many.
 *   <li>Leadership that goes from one thread to another costs the promotion itself and some cache lines that have to come from
 *       the core of the one before, and wakes the follower where it sleeps. The same for a connection that is served by another
 *       thread than last time. Lines cost more between memory nodes. Lines are not fought for: followers sleep, they do not spin.
 *   <li>Cores are equal and do not slow each other down (no SMT, no shared power or memory bandwidth), and nothing else runs on
 *       them. Where threads are more than cores, they take turns as short as one event.
 *   <li>The kernel's own locks (listening sockets, the ring of a network card) cost nothing beyond what was measured on two
 *       cores: that is the most doubtful of all for many of them.
 * </ul>
 */
package org.cabrank.bench.model;
