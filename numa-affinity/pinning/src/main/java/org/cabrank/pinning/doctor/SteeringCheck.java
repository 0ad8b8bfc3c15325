package org.cabrank.pinning.doctor;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.NetworkInterface;

/** Check of receive and transmit packet steering (RPS, XPS): the CPUs that process the packets of each queue. */
final class SteeringCheck {
    private static final int WORD_DIGITS = 8;

    private SteeringCheck() {}

    static Finding look(Check check, CheckContext context) {
        CpuList shards = context.plan().cpus();
        List<String> found = new ArrayList<>();
        List<String> remedies = new ArrayList<>();
        for (NetworkInterface nic : context.topology().interfaces()) {
            if (nic.up() && !nic.device().isEmpty()) {
                receive(context, nic.name(), shards, found, remedies);
                transmit(context, nic.name(), shards, found, remedies);
            }
        }
        return found.isEmpty()
                ? check.ok("no packet of another CPU is worked on by CPU " + shards)
                : check.note(
                        String.join("; ", found),
                        "the network's work for connections of other CPUs delays the answers of these shards, or one CPU"
                                + " does it for all",
                        String.join("; ", remedies));
    }

    private static void receive(
            CheckContext context, String nic, CpuList shards, List<String> found, List<String> remedies) {
        List<String> queues = queues(context, nic, "rx-");
        CpuList steered = CpuList.of();
        for (String queue : queues) {
            steered = steered.union(mask(context, nic, queue + "/rps_cpus"));
        }
        CpuList online = context.topology().online();
        String write = "for q in /sys/class/net/" + nic + "/queues/rx-*; do echo ";
        if (!steered.intersection(shards).isEmpty()) {
            CpuList others = steered.without(shards);
            found.add("RPS of " + nic + " hands packets to CPU " + steered.intersection(shards) + " of shards");
            remedies.add(write + (others.isEmpty() ? "0" : hex(others)) + " > $q/rps_cpus; done");
        } else if (queues.size() == 1 && steered.isEmpty() && shards.size() > 1) {
            CpuList others = online.without(shards);
            found.add(nic + " has one receive queue, whose CPU does the network's work of " + shards.size() + " CPUs");
            remedies.add("ethtool -L " + nic + " combined " + shards.size() + " where the card has more queues"
                    + (others.isEmpty() ? "" : "; else " + write + hex(others) + " > $q/rps_cpus; done"));
        }
    }

    private static void transmit(
            CheckContext context, String nic, CpuList shards, List<String> found, List<String> remedies) {
        List<String> queues = queues(context, nic, "tx-");
        CpuList named = CpuList.of();
        for (String queue : queues) {
            named = named.union(mask(context, nic, queue + "/xps_cpus"));
        }
        CpuList without = shards.without(named);
        if (!named.isEmpty() && !without.isEmpty()) {
            found.add("XPS of " + nic + " names transmit queues for CPU " + named.brief(60) + " and not for CPU "
                    + without.brief(60) + " of shards");
            remedies.add(
                    "add CPU " + without.brief(60) + " to xps_cpus of some of /sys/class/net/" + nic + "/queues/tx-*");
        }
    }

    private static List<String> queues(CheckContext context, String nic, String prefix) {
        return context.sysfs().names("class/net/" + nic + "/queues").stream()
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    private static CpuList mask(CheckContext context, String nic, String file) {
        return context.sysfs()
                .parsed("class/net/" + nic + "/queues/" + file, "no mask", CpuList::parseMask)
                .orElse(CpuList.of());
    }

    /** Formats a mask for the kernel: groups of 32 bits in hexadecimal, separated by commas. */
    private static String hex(CpuList cpus) {
        String digits = cpus.cpus()
                .mapToObj(BigInteger.ZERO::setBit)
                .reduce(BigInteger.ZERO, BigInteger::or)
                .toString(16);
        StringBuilder mask = new StringBuilder(digits);
        for (int end = digits.length() - WORD_DIGITS; end > 0; end -= WORD_DIGITS) {
            mask.insert(end, ',');
        }
        return mask.toString();
    }
}
