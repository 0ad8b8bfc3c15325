/**
 * Checks of the machine, the process and the JVM for causes of latency, each with its effect and its remedy.
 *
 * <pre>{@code
 * MachineSnapshot machine = MachineSnapshot.ofThisMachine(Kernels.system());
 * List<Finding> findings = Doctor.examine(new CheckContext(machine, null, TopologyReader.SYSFS, TopologyReader.PROCFS,
 *         JvmFacts.ofThisOne(), RingTrial.here()));
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.pinning.doctor;
