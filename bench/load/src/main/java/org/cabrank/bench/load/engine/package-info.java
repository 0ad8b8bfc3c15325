/** Parts shared by the load generators for connections and for datagrams. */
package org.cabrank.bench.load.engine;
