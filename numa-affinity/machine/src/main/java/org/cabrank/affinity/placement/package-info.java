/**
 * Placement of shards on CPUs. Pure functions make a plan with reasons from a machine's topology and a process's limits. {@code
 * org.cabrank.pinning.PlannedPlacement} pins threads as planned.
 *
 * <pre>{@code
 * PlacementPlan plan = Placement.parse("cores").plan(topology, limits, 0, 1, false); // as many shards as cores
 * String explanation = plan.describe();
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.placement;
