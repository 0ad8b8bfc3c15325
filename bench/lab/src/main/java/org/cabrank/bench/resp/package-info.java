/** An example of a service on {@link org.cabrank.stream.ConnectionHandler}: a map in memory for Redis clients. It is no database. */
package org.cabrank.bench.resp;
