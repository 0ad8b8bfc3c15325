/**
 * Pinning of the threads of a stream reactor. {@link org.cabrank.pinning.RequestedPlacement} makes a plan when a reactor starts. {@link
 * org.cabrank.pinning.PlannedPlacement} pins threads as planned. {@link org.cabrank.pinning.ReservedCpus} keeps services of a host on
 * different CPUs.
 *
 * <pre>{@code
 * StreamServer.builder().placement(RequestedPlacement.of(Placement.CORES)) ...
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.pinning;
