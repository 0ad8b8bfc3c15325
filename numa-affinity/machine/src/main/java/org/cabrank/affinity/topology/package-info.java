/**
 * What the machine is made of: CPUs with their cores, caches, packages and kinds, memory nodes, network interfaces. Read
 * once from sysfs and procfs, or from copies of them; nothing here is about what a process may use of it (see {@link
 * org.cabrank.affinity.limits}).
 */
package org.cabrank.affinity.topology;
