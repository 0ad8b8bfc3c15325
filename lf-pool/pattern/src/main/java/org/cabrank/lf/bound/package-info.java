/**
 * Threads that share one connection and wait for their own reply (POSA2, Leader/Followers: bound handle/thread associations): see
 * {@link org.cabrank.lf.bound.BoundThreadPool}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.bound;
