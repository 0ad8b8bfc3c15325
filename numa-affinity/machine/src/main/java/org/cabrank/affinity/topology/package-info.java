/**
 * Parts of the machine: CPUs with their cores, caches, packages and kinds, memory nodes, network interfaces. Read once from sysfs and
 * procfs, or from copies of these directories. {@link org.cabrank.affinity.limits} has the limits of a process.
 *
 * <pre>{@code
 * Topology topology = new TopologyReader().read();
 * CpuList siblings = topology.smtSiblings(0);
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.topology;
