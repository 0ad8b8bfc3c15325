package org.cabrank.affinity.topology;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

final class InterfaceReader {
    private static final String INTERFACES = "class/net";

    private static final int FLAG_UP = 1;

    /** Maximum number of devices in a path. A path has, for example, a function of a card, a slot and a root. */
    private static final int DEVICE_DEPTH_MAX = 32;

    private static final String LOWER = "lower_";

    /** Maximum number of interfaces on top of each other. A VLAN on a bridge on a bond on cards has depth four. */
    private static final int STACK_DEPTH_MAX = 8;

    private final FileTree sysfs;
    private final FileTree procfs;

    InterfaceReader(FileTree sysfs, FileTree procfs) {
        this.sysfs = sysfs;
        this.procfs = procfs;
    }

    List<NetworkInterface> interfaces() {
        return sysfs.names(INTERFACES).stream()
                // The directory may contain files, such as bonding_masters.
                .filter(name -> sysfs.has(INTERFACES + "/" + name + "/ifindex")
                        || sysfs.has(INTERFACES + "/" + name + "/operstate"))
                .map(this::networkInterface)
                .toList();
    }

    private NetworkInterface networkInterface(String name) {
        List<Path> devices = devices(INTERFACES + "/" + name + "/device");
        List<NetworkInterface> below = below(name, 1);
        return new NetworkInterface(
                FileTree.printable(name),
                FileTree.printable(address(devices)),
                below.isEmpty() || nodeOf(below) < 0 && !devices.isEmpty() ? node(devices) : nodeOf(below),
                Stream.concat(
                                interrupts(name, devices).stream(),
                                below.stream().flatMap(lower -> lower.interrupts().stream()))
                        .distinct()
                        .toList(),
                up(INTERFACES + "/" + name));
    }

    /** Returns interfaces below this one: the cards of a bond, the interface of a VLAN, or a virtual function of Hyper-V. */
    private List<NetworkInterface> below(String name, int depth) {
        List<NetworkInterface> below = new ArrayList<>();
        for (String entry : sysfs.names(INTERFACES + "/" + name)) {
            if (entry.startsWith(LOWER) && depth < STACK_DEPTH_MAX) {
                String lower = entry.substring(LOWER.length());
                if (sysfs.has(INTERFACES + "/" + lower + "/device")) {
                    below.add(networkInterface(lower));
                } else {
                    below.addAll(below(lower, depth + 1));
                }
            }
        }
        return below;
    }

    private static int nodeOf(List<NetworkInterface> below) {
        int[] nodes = below.stream().mapToInt(NetworkInterface::node).distinct().toArray();
        return nodes.length == 1 ? nodes[0] : -1;
    }

    /** Returns the device and its parents, as paths relative to sysfs. */
    private List<Path> devices(String link) {
        Optional<Path> device = sysfs.real(link);
        Optional<Path> all = sysfs.real("devices");
        if (device.isEmpty() || all.isEmpty() || !device.get().startsWith(all.get())) {
            return List.of();
        }
        return Stream.iterate(device.get(), path -> !path.equals(all.get()), Path::getParent)
                .limit(DEVICE_DEPTH_MAX)
                .map(path -> Path.of("devices").resolve(all.get().relativize(path)))
                .toList();
    }

    /** Returns the bus address. For a virtio device, returns the address of its PCI device, which has the node and the interrupts. */
    private String address(List<Path> devices) {
        return devices.stream()
                .filter(device -> sysfs.has(device + "/numa_node") || sysfs.has(device + "/msi_irqs"))
                .findFirst()
                .or(() -> devices.stream().findFirst())
                .map(device -> device.getFileName().toString())
                .orElse("");
    }

    private int node(List<Path> devices) {
        return devices.stream()
                .filter(device -> sysfs.has(device + "/numa_node"))
                .findFirst()
                .map(device -> Math.max(-1, sysfs.integer(device + "/numa_node").orElse(-1)))
                .orElse(-1);
    }

    private boolean up(String directory) {
        String state = sysfs.text(directory + "/operstate").orElse("");
        // Some drivers cannot detect the link and report "unknown", such as the driver of lo.
        return state.equals("up") || state.equals("unknown") && flags(directory) % 2 == FLAG_UP;
    }

    private int flags(String directory) {
        String text = sysfs.text(directory + "/flags").orElse("");
        return text.matches("0x[0-9a-fA-F]{1,7}") ? Integer.decode(text) : 0;
    }

    private List<Interrupt> interrupts(String name, List<Path> devices) {
        Optional<Path> withInterrupts = devices.stream()
                .filter(device -> !sysfs.names(device + "/msi_irqs").isEmpty())
                .findFirst();
        List<Integer> irqs = withInterrupts.isPresent()
                ? numbers(sysfs.names(withInterrupts.get() + "/msi_irqs"))
                : handledFor(
                        devices.isEmpty()
                                ? List.of()
                                : List.of(name, devices.get(0).getFileName().toString()));
        return irqs.stream().map(irq -> interrupt(name, irq)).toList();
    }

    private static List<Integer> numbers(List<String> names) {
        return names.stream()
                .filter(irq -> irq.matches("\\d{1,9}"))
                .map(Integer::valueOf)
                .sorted()
                .toList();
    }

    /** Finds interrupts by their names. For some devices, such as virtio without PCI, sysfs shows no interrupts. */
    private List<Integer> handledFor(List<String> names) {
        return names.isEmpty()
                ? List.of()
                : numbers(procfs.names("irq")).stream()
                        .filter(irq -> names.stream().anyMatch(name -> isOf(name, action(irq))))
                        .toList();
    }

    private static boolean isOf(String name, String action) {
        return action.equals(name) || action.startsWith(name + "-") || action.startsWith(name + ".");
    }

    /** Returns the driver's name for the interrupt, which is the name of a directory. */
    private String action(int irq) {
        return procfs.names("irq/" + irq).stream()
                .filter(entry -> Files.isDirectory(procfs.path("irq/" + irq + "/" + entry)))
                .findFirst()
                .orElse("");
    }

    private Interrupt interrupt(String name, int irq) {
        String directory = "irq/" + irq;
        Optional<CpuList> allowed = procfs.listOrMask(directory + "/smp_affinity_list", directory + "/smp_affinity");
        Optional<CpuList> effective =
                procfs.listOrMask(directory + "/effective_affinity_list", directory + "/effective_affinity");
        if (allowed.isEmpty()) {
            procfs.note("irq", "does not show for every interrupt of " + name + " to which CPUs it may go");
        }
        return new Interrupt(
                irq, FileTree.printable(action(irq)), allowed.orElse(CpuList.of()), effective.orElse(CpuList.of()));
    }
}
