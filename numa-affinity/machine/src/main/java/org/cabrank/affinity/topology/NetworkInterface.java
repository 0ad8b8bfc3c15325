package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * A network interface. A software interface made of other interfaces, such as a bond of cards or a VLAN, has the interrupts of these,
 * and their node if they all have the same one. The same applies to an interface that has a device and passes packets on to
 * other interfaces, such as Hyper-V's over a virtual function.
 *
 * @param name the kernel's name, with a question mark for each control character
 * @param device the bus address of the device, such as {@code 0000:41:00.0}; empty for a software interface such as lo, a
 *     bridge, a tunnel or one end of a container's pair
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
