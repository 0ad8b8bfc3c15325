package org.cabrank.bench.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;

/** The interrupts of devices in procfs, which may be a copy of another machine's. */
final class DeviceInterrupts {
    /** Queues of NVMe and of virtio's block devices and SCSI controllers, whose drivers let the kernel spread interrupts. */
    private static final Pattern SPREAD_QUEUES =
            Pattern.compile("nvme\\d+q[1-9]\\d*|virtio\\d+-(req\\.\\d+|request(_\\d+)?)");

    private static final Pattern READ_ONLY = Pattern.compile("r--r--r--");

    /** The reason to take an interrupt for a managed one. */
    enum Evidence {
        /** Kernels of today (6.18) let nobody write the file of a managed interrupt. */
        READ_ONLY_FILE("its smp_affinity is read-only"),
        DEBUGFS("debugfs says so"),
        /** Older kernels without a readable debugfs refuse the write (EIO), and show nothing before. */
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
     * An interrupt that has come since the machine was booted.
     *
     * @param device its name in proc_interrupts(5); may be empty
     * @param cpus those that it goes to; empty where the kernel does not tell
     * @param managed the reason to think that the kernel lets nobody move it
     */
    record Interrupt(String irq, String device, CpuList cpus, Optional<Evidence> managed) {
        /** {@code 42 (eth0-TxRx-1) on CPU 1}. */
        String words(CpuList shards) {
            return irq + (device.isEmpty() ? "" : " (" + device + ")") + " on CPU " + cpus.intersection(shards);
        }
    }

    private DeviceInterrupts() {}

    /** The interrupts that go to any of {@code cpus}. */
    static List<Interrupt> on(CpuList cpus, KernelFiles files) {
        Map<String, String> used = used(files);
        List<Interrupt> there = new ArrayList<>();
        for (String irq : files.namesOfProc("irq")) {
            boolean number = irq.chars().allMatch(Character::isDigit);
            if (number && (used.isEmpty() || used.containsKey(irq))) {
                CpuList goesTo = cpus(files, irq);
                if (!goesTo.intersection(cpus).isEmpty()) {
                    String device = used.getOrDefault(irq, "");
                    there.add(new Interrupt(irq, device, goesTo, managed(files, irq, device)));
                }
            }
        }
        return there;
    }

    private static Optional<Evidence> managed(KernelFiles files, String irq, String device) {
        if (files.permissionsOfProc("irq/" + irq + "/smp_affinity")
                .filter(permissions -> READ_ONLY.matcher(permissions).matches())
                .isPresent()) {
            return Optional.of(Evidence.READ_ONLY_FILE);
        }
        Optional<String> state = files.sys("kernel/debug/irq/irqs/" + irq);
        if (state.isPresent()) {
            return state.filter(text -> text.contains("IRQD_AFFINITY_MANAGED")).map(text -> Evidence.DEBUGFS);
        }
        return SPREAD_QUEUES.matcher(device).matches() ? Optional.of(Evidence.NAME) : Optional.empty();
    }

    /** The CPUs that it goes to; none where the kernel does not tell. */
    static CpuList cpus(KernelFiles files, String irq) {
        String directory = "irq/" + irq + "/";
        String list = files.proc(directory + "effective_affinity_list")
                .filter(text -> !text.isEmpty())
                .or(() -> files.proc(directory + "smp_affinity_list"))
                .orElse("");
        return list.matches("[0-9,-]+") ? CpuList.parse(list) : CpuList.of();
    }

    /** The interrupts that have come since the machine was booted, with the names of their devices (proc_interrupts(5)). */
    private static Map<String, String> used(KernelFiles files) {
        Map<String, String> used = new HashMap<>();
        files.proc("interrupts")
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
