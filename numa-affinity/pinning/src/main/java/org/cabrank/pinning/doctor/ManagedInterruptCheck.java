package org.cabrank.pinning.doctor;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.pinning.doctor.DeviceInterrupts.Interrupt;

/**
 * Check of managed interrupts on the CPUs of a plan. The kernel spreads them over all CPUs, mostly one queue of a disk for each, and
 * refuses to move them. Such an interrupt comes only when a thread on a CPU of its queue uses the device.
 */
final class ManagedInterruptCheck {

    private ManagedInterruptCheck() {}

    static Finding look(Check check, CheckContext context) {
        CpuList shards = context.plan().cpus();
        List<Interrupt> there = DeviceInterrupts.on(shards, context).stream()
                .filter(interrupt -> interrupt.managed().isPresent())
                .toList();
        if (there.isEmpty()) {
            return context.procfs().names("irq").isEmpty()
                    ? check.unknown("/proc/irq is missing", Check.LOOK_ON_THE_HOST)
                    : check.ok("none on CPU " + shards);
        }
        CpuList touched = there.stream()
                .map(Interrupt::cpus)
                .reduce(CpuList.of(), CpuList::union)
                .intersection(shards);
        String evidence = there.stream()
                .flatMap(interrupt -> interrupt.managed().stream())
                .distinct()
                .sorted()
                .map(Objects::toString)
                .collect(Collectors.joining("; or "));
        return check.note(
                InterruptCheck.shortened(there, shards) + " (" + evidence + ")",
                "they come when a thread on one of these CPUs reads or writes the device, and delay the shard's answers",
                "leave files to threads on other CPUs; or boot with isolcpus=managed_irq,domain," + touched
                        + ", which keeps interrupts of queues that other CPUs share away; writing smp_affinity fails");
    }
}
