/**
 * Threads that share one connection and wait for their own reply (POSA2, Leader/Followers: bound handle/thread associations). Start at
 * {@link org.cabrank.lf.bound.BoundThreadPool}:
 *
 * <pre>{@code
 * ExpectedReply<Integer, String> expected = bound.expectingResponse(id);
 * bound.send(request);
 * String answer = expected.await(Duration.ofSeconds(1));
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.bound;
