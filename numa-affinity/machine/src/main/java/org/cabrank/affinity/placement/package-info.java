/**
 * Placement of shards on CPUs: pure functions from a machine's topology and a process's limits to a plan, which gives
 * reasons and can be printed before anything starts. {@link org.cabrank.affinity.Affinity} pins threads.
 */
package org.cabrank.affinity.placement;
