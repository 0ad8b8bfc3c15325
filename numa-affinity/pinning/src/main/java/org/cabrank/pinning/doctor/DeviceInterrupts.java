package org.cabrank.pinning.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;

/** Interrupts of devices, read from procfs or from a copy of procfs. */
final class DeviceInterrupts {
    /** Names of queues whose drivers use managed interrupts: NVMe, virtio block devices and SCSI controllers. */
    private static final Pattern SPREAD_QUEUES =
            Pattern.compile("nvme\\d+q[1-9]\\d*|virtio\\d+-(req\\.\\d+|request(_\\d+)?)");

    private static final Pattern READ_ONLY = Pattern.compile("r--r--r--");

    /** Evidence that an interrupt is managed. */
    enum Evidence {
        /** The affinity file is read-only, as current kernels (6.18) make it for managed interrupts. */
        READ_ONLY_FILE("its smp_affinity is read-only"),
        DEBUGFS("debugfs says so"),
        /** The device's driver uses managed interrupts. Older kernels show no other sign before a write fails (EIO). */
        NAME("by its name, since this kernel shows it in debugfs alone");

        private final String words;

        Evidence(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * An interrupt that has occurred since boot.
     *
     * @param device the device's name in proc_interrupts(5); may be empty
     * @param cpus the target CPUs; empty if the kernel does not report them
     * @param managed evidence that the kernel refuses to move the interrupt
     */
    record Interrupt(String irq, String device, CpuList cpus, Optional<Evidence> managed) {
        /** Text such as {@code 42 (eth0-TxRx-1) on CPU 1}. */
        String words(CpuList shards) {
            return irq + (device.isEmpty() ? "" : " (" + device + ")") + " on CPU " + cpus.intersection(shards);
        }
    }

    private DeviceInterrupts() {}

    /** Returns the interrupts with at least one target CPU in {@code cpus}. */
    static List<Interrupt> on(CpuList cpus, CheckContext context) {
        Map<String, String> used = used(context);
        List<Interrupt> there = new ArrayList<>();
        for (String irq : context.procfs().names("irq")) {
            boolean number = irq.chars().allMatch(Character::isDigit);
            if (number && (used.isEmpty() || used.containsKey(irq))) {
                CpuList goesTo = cpus(context, irq);
                if (!goesTo.intersection(cpus).isEmpty()) {
                    String device = used.getOrDefault(irq, "");
                    there.add(new Interrupt(irq, device, goesTo, managed(context, irq, device)));
                }
            }
        }
        return there;
    }

    private static Optional<Evidence> managed(CheckContext context, String irq, String device) {
        if (permissions(context.procfs().path("irq/" + irq + "/smp_affinity"))
                .filter(permissions -> READ_ONLY.matcher(permissions).matches())
                .isPresent()) {
            return Optional.of(Evidence.READ_ONLY_FILE);
        }
        Optional<String> state = context.sysfs().text("kernel/debug/irq/irqs/" + irq);
        if (state.isPresent()) {
            return state.filter(text -> text.contains("IRQD_AFFINITY_MANAGED")).map(text -> Evidence.DEBUGFS);
        }
        return SPREAD_QUEUES.matcher(device).matches() ? Optional.of(Evidence.NAME) : Optional.empty();
    }

    /** Returns the permissions of a file, such as {@code rw-r--r--}; empty if the file is absent. */
    private static Optional<String> permissions(Path file) {
        try {
            return Optional.of(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** Reads the target CPUs of an interrupt; returns none if the kernel does not report them. */
    static CpuList cpus(CheckContext context, String irq) {
        String directory = "irq/" + irq + "/";
        return context.procfs()
                .list(directory + "effective_affinity_list")
                .filter(cpus -> !cpus.isEmpty())
                .or(() -> context.procfs().list(directory + "smp_affinity_list"))
                .orElse(CpuList.of());
    }

    /** Reads the interrupts that have occurred since boot, with their devices (proc_interrupts(5)). */
    private static Map<String, String> used(CheckContext context) {
        Map<String, String> used = new HashMap<>();
        context.procfs()
                .text("interrupts")
                .ifPresent(text -> text.lines().skip(1).forEach(line -> {
                    int colon = line.indexOf(':');
                    if (colon > 0) {
                        String[] columns = line.substring(colon + 1).strip().split(" +");
                        long count = 0;
                        int column = 0;
                        while (column < columns.length && columns[column].matches("\\d{1,18}")) {
                            count += Long.parseLong(columns[column++]);
                        }
                        if (count > 0) {
                            used.put(line.substring(0, colon).strip(), columns[columns.length - 1]);
                        }
                    }
                }));
        return used;
    }
}
