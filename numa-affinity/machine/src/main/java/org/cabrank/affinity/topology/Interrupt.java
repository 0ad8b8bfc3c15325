package org.cabrank.affinity.topology;

import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * An interrupt of a device.
 *
 * @param irq the kernel's number
 * @param action what the driver calls it, such as {@code eth0-TxRx-3}; empty: unknown, or nothing handles it
 * @param allowed the CPUs that it may go to: smp_affinity_list, which an administrator or irqbalance sets; empty: unknown
 * @param effective those of them that it does go to; empty: unknown
 */
public record Interrupt(int irq, String action, CpuList allowed, CpuList effective) {
    public Interrupt {
        Objects.requireNonNull(action);
        Objects.requireNonNull(allowed);
        Objects.requireNonNull(effective);
    }

    /** The CPUs that it goes to, as exactly as is known. */
    public CpuList cpus() {
        return effective.isEmpty() ? allowed : effective;
    }
}
