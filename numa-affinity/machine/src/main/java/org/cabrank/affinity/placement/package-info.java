/**
 * Placement of shards on CPUs: pure functions from a machine's topology and a process's limits to a plan with reasons, which can be printed
 * before anything starts. {@code org.cabrank.pinning.PlannedPlacement} pins threads after a plan.
 *
 * <pre>{@code
 * PlacementPlan plan = Placement.parse("cores").plan(topology, limits, 0, 1, false); // as many shards as cores
 * String explanation = plan.describe();
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.placement;
