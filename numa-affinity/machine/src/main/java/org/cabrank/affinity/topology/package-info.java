/**
 * Parts of the machine: CPUs, memory nodes and network interfaces. All are read once from sysfs and procfs, or from copies of these
 * directories. {@link org.cabrank.affinity.limits} has the limits of a process.
 *
 * <pre>{@code
 * Topology topology = new TopologyReader().read();
 * CpuList siblings = topology.smtSiblings(0);
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.topology;
