package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * A network interface. An interface that is made of others (a bond, a VLAN), or passes packets on to others (Hyper-V's over a virtual
 * function), has the interrupts of these other interfaces, and their node if all have the same node.
 *
 * @param name the kernel's name, with a question mark for each control character
 * @param device bus address such as {@code 0000:41:00.0}; empty for a software interface such as lo, a bridge or a tunnel
 * @param node the memory node that the device is attached to; -1: unknown, several, or no device
 * @param interrupts sorted by number
 * @param up true if the interface is in operation
 */
public record NetworkInterface(String name, String device, int node, List<Interrupt> interrupts, boolean up) {
    public NetworkInterface {
        Objects.requireNonNull(name);
        Objects.requireNonNull(device);
        interrupts = List.copyOf(interrupts);
    }

    public CpuList interruptCpus() {
        return interrupts.stream().map(Interrupt::cpus).reduce(CpuList.of(), CpuList::union);
    }
}
