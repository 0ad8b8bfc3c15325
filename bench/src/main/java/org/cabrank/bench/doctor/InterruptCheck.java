package org.cabrank.bench.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.CpuList;

/** Whether devices interrupt the CPUs of a plan. */
final class InterruptCheck implements Check {
    private static final String ID = "interrupts";
    private static final String SUBJECT = "interrupts";

    /** More are counted. */
    private static final int NAMED_MAX = 8;

    @Override
    public Finding look(Patient patient) {
        if (patient.plan() == null || patient.plan().cpus().isEmpty()) {
            return Finding.note(
                    ID,
                    SUBJECT,
                    "not examined: without a placement it is not known which CPUs matter",
                    "",
                    "cabrank doctor --placement cores --shards N");
        }
        CpuList shards = patient.plan().cpus();
        Map<String, String> used = used(patient.files());
        List<String> there = new ArrayList<>();
        List<String> numbers = new ArrayList<>();
        for (String irq : patient.files().namesOfProc("irq")) {
            boolean number = irq.chars().allMatch(Character::isDigit);
            if (number && (used.isEmpty() || used.containsKey(irq))) {
                CpuList cpus = cpus(patient.files(), irq).intersection(shards);
                if (!cpus.isEmpty()) {
                    there.add(irq + name(used.get(irq)) + " on CPU " + cpus);
                    numbers.add(irq);
                }
            }
        }
        if (there.isEmpty()) {
            return Finding.ok(ID, SUBJECT, "no device interrupts CPU " + shards);
        }
        return Finding.warning(
                ID,
                SUBJECT,
                "devices interrupt CPUs of shards: " + shortened(there),
                "an answer waits while an interrupt, and the network's work after it, is done",
                remedy(patient, shards, numbers));
    }

    private static String remedy(Patient patient, CpuList shards, List<String> numbers) {
        CpuList others = patient.topology().online().without(shards);
        if (others.isEmpty()) {
            return "leave a CPU to the devices: fewer shards, and the interrupts on the CPU that is left";
        }
        return "for i in " + String.join(" ", numbers) + "; do echo " + others
                + " > /proc/irq/$i/smp_affinity_list; done; where irqbalance runs, IRQBALANCE_BANNED_CPULIST=" + shards;
    }

    private static String shortened(List<String> there) {
        int more = there.size() - NAMED_MAX;
        return String.join("; ", there.subList(0, Math.min(there.size(), NAMED_MAX)))
                + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String name(String name) {
        return name == null || name.isEmpty() ? "" : " (" + name + ")";
    }

    /** The CPUs that it goes to; none where the kernel does not tell. */
    private static CpuList cpus(KernelFiles files, String irq) {
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
