/** Parts of the load generators for connections and for datagrams: the set to wait in, the timer, the phases of a run, errors by name. */
package org.cabrank.bench.load.engine;
