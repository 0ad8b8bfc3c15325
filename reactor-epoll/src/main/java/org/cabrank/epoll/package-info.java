/**
 * A handle set and a stream transport over epoll(7). Stream reactors find the transport by its name. A program that has its own pool can
 * use the handle set:
 * <pre>{@code
 * EpollHandleSet set = new EpollHandleSet(Kernels.system(), Deactivation.CLAIM);
 * set.register(fd, Ready.READ, (handle, ready) -> read(fd));
 * LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("reader", 2));
 * pool.start();
 * }</pre>
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.epoll;
