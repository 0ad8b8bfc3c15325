/**
 * Pinning of a stream reactor: {@link org.cabrank.pinning.PlannedPlacement} pins threads after a plan, and
 * {@link org.cabrank.pinning.ReservedCpus} keeps services of one host off each other's cores.
 *
 * <pre>{@code
 * PlannedPlacement placement = PlannedPlacement.of(Placement.cores(), 0, 1);
 * String explanation = placement.plan().describe();
 * StreamServer.builder().shards(placement.shards()).placement(placement) ...
 * }</pre>
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.pinning;
