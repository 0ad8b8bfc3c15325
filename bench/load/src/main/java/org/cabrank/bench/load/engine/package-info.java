/** Parts of the load generators for connections and for datagrams. */
package org.cabrank.bench.load.engine;
