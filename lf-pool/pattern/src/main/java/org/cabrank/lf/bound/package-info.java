/**
 * Threads that share one connection and each wait for their own reply (POSA2, Leader/Followers: bound handle/thread associations). The main
 * class is {@link org.cabrank.lf.bound.BoundThreadPool}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.bound;
