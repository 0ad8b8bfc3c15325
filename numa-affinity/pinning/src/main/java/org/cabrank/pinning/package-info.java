/**
 * Pinning of a stream reactor: {@link org.cabrank.pinning.RequestedPlacement} plans when a reactor starts, {@link
 * org.cabrank.pinning.PlannedPlacement} pins threads after a plan, {@link org.cabrank.pinning.ReservedCpus} separates services of a host.
 *
 * <pre>{@code
 * StreamServer.builder().placement(RequestedPlacement.of(Placement.CORES)) ...
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.pinning;
