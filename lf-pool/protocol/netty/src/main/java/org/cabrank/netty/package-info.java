/**
 * A transport for Netty: {@link org.cabrank.netty.CabrankEventLoopGroup} and the channels that register with it. Pipelines run
 * unchanged; a handler that blocks delays the channels of its own event loop, and each channel has an event loop of its own.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.netty;
