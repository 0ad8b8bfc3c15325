/**
 * Attributes of a reactor, its shards and their balance in JMX. {@link org.cabrank.stream.StreamReactor.Builder#jmx} registers
 * the beans; the pools of the shards are registered beside them, as {@link org.cabrank.lf.observe} describes.
 *
 * <p>Stability: stable.
 */
package org.cabrank.stream.management;
