/**
 * Limits of this process on the machine: affinity mask, cpuset, CPU quota, and the JVM's own count of processors.
 *
 * <pre>{@code
 * Topology topology = new TopologyReader().read();
 * ProcessLimits limits = new LimitsReader(Kernels.system()).read(topology);
 * CpuList usable = limits.usable();
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.limits;
