package org.cabrank.affinity.placement;

import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;

/** Describes the other hardware threads of a core. */
record Siblings(Planning planning) {
    /** @param used true if other shards use the sibling CPUs */
    String besides(Cpu cpu, boolean used) {
        CpuList others = planning.topology().smtSiblings(cpu.id()).without(CpuList.of(cpu.id()));
        if (others.isEmpty() || used) {
            return "";
        }
        boolean ours = planning.limits().usable().containsAll(others);
        String them = others.size() == 1 ? "sibling CPU " : "siblings CPU ";
        return ours
                ? "; " + them + others + (others.size() == 1 ? " stays" : " stay") + " idle"
                : "; " + them + others + " may be busy with other processes";
    }
}
