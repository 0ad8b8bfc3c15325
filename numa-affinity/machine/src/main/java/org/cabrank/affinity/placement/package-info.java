/**
 * Which shard runs where: pure functions from a machine's topology and a process's limits to a plan, which says why and
 * can be printed before anything starts. Nothing here pins a thread; {@link org.cabrank.affinity.Affinity} does.
 */
package org.cabrank.affinity.placement;
