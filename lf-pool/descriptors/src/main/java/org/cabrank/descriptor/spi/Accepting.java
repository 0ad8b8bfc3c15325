package org.cabrank.descriptor.spi;

import java.util.function.Supplier;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.spi.ConnectionTerms;

/**
 * What the listeners at one address, one in each shard, give the connections that they accept.
 *
 * @param handlers makes the handler of each connection
 * @param terms of all connections, with one quota for all shards
 */
public record Accepting(Supplier<ConnectionHandler> handlers, ConnectionTerms terms) {}
