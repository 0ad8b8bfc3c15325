/**
 * A reactor, its shards and their balance as JMX shows them. {@link org.cabrank.stream.StreamReactor.Builder#jmx} registers
 * them; the pools of the shards are registered beside them, as {@link org.cabrank.lf.observe} describes.
 */
package org.cabrank.stream.management;
