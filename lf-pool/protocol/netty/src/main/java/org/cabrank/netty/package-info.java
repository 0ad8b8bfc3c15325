/**
 * A transport for Netty: {@link org.cabrank.netty.CabrankEventLoopGroup} and the channels that register with it. Pipelines run unchanged.
 * Each channel has an event loop of its own, so a handler that blocks delays no other channel.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.netty;
