/**
 * Limits of this process on the machine: affinity mask, cpuset, CPU quota, and the JVM's own count of processors.
 *
 * <pre>{@code
 * Topology topology = new TopologyReader().read();
 * ProcessLimits limits = new LimitsReader(Kernels.system()).read(topology);
 * CpuList usable = limits.usable();
 * }</pre>
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.affinity.limits;
