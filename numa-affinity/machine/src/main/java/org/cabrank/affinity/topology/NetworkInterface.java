package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * A network interface. A bond or a VLAN is built on other interfaces. An interface of Hyper-V passes its packets to a virtual function.
 * Such interfaces have the interrupts of the interfaces below them. If all interfaces below have the same node, they also have this node.
 *
 * @param name the kernel's name, with a question mark for each control character
 * @param device bus address such as {@code 0000:41:00.0}. Empty for a software interface such as lo, a bridge or a tunnel
 * @param node the memory node that the device is attached to. -1 if it is unknown, or if there are several nodes or no device
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
