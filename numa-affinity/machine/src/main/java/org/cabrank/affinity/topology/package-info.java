/**
 * Parts of the machine: CPUs with their cores, caches, packages and kinds, memory nodes, network interfaces. Read once from
 * sysfs and procfs, or from copies of these directories. The limits that apply to a process are in
 * {@link org.cabrank.affinity.limits}.
 *
 * <pre>{@code
 * Topology topology = new TopologyReader().read();
 * CpuList siblings = topology.smtSiblings(0);
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.topology;
