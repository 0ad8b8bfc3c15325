/**
 * Pinning of a stream reactor: {@link org.cabrank.pinning.RequestedPlacement} plans for a reactor when it starts,
 * {@link org.cabrank.pinning.PlannedPlacement} pins threads after a plan, and {@link org.cabrank.pinning.ReservedCpus} keeps services of one
 * host off each other's cores.
 *
 * <pre>{@code
 * StreamServer.builder().placement(RequestedPlacement.of(Placement.CORES)) ...
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.pinning;
