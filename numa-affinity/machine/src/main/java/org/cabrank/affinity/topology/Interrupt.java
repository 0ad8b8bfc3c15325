package org.cabrank.affinity.topology;

import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * An interrupt of a device.
 *
 * @param action the driver's name for the interrupt, such as {@code eth0-TxRx-3}. Empty if it is unknown or no handler is installed
 * @param allowed CPUs that may receive the interrupt (smp_affinity_list). An administrator or irqbalance sets them. Empty if unknown
 * @param effective CPUs of {@code allowed} that do receive the interrupt. Empty if unknown
 */
public record Interrupt(int irq, String action, CpuList allowed, CpuList effective) {
    public Interrupt {
        Objects.requireNonNull(action);
        Objects.requireNonNull(allowed);
        Objects.requireNonNull(effective);
    }

    /** The effective CPUs if known, else the allowed ones. */
    public CpuList cpus() {
        return effective.isEmpty() ? allowed : effective;
    }
}
