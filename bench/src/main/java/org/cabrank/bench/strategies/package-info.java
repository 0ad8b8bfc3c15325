/**
 * {@code cabrank bench pool-strategies}: Leader/Followers against Half-Sync/Half-Reactive over a grid of threads and work
 * per request, after the experiment of Pyarali, Spivak, Cytron and Schmidt, "Evaluating and Optimizing Thread Pool
 * Strategies for Real-Time CORBA" (2001). Its factors are the number of threads and the work per request; it explains its
 * results by what the strategies cost per request: context switches, memory, data movement and synchronization.
 */
package org.cabrank.bench.strategies;
