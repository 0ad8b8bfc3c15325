/**
 * Pinning, memory nodes and scheduling policies of this process's threads.
 *
 * <pre>{@code
 * Affinity affinity = new Affinity(Kernels.system());
 * affinity.pin(CpuList.parse("2-3")); // the calling thread
 * }</pre>
 *
 * <p>Services that pin a whole reactor use {@code org.cabrank.pinning.PlannedPlacement}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity;
