package org.cabrank.bench.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.scenario.Net;

/**
 * Starts processes on chosen CPUs. The thread that starts the process pins itself first, and the child inherits the mask
 * before its first instruction: so it holds for every thread of a child JVM, those of its garbage collector and compiler
 * included, and the child counts its processors right.
 *
 * @param affinity of the calling thread
 * @param net network in which processes listen; over veth they start in the network namespace of the servers
 */
record Pinning(Affinity affinity, Net net) {

    /** Starts processes in this process's network namespace. */
    Pinning(Affinity affinity) {
        this(affinity, Net.LOOPBACK);
    }

    /** Returns a copy that starts servers which listen on {@code other}. */
    Pinning over(Net other) {
        return new Pinning(affinity, other);
    }

    /** Starts {@code builder}'s process on {@code cpus}; the calling thread is where it was before. */
    Process start(ProcessBuilder builder, CpuList cpus) throws IOException {
        if (net == Net.VETH) {
            List<String> command = new ArrayList<>(VethNetwork.serverCommand());
            command.addAll(builder.command());
            builder.command(command);
            builder.environment().put(ContenderSockets.ADDRESS_VARIABLE, VethNetwork.SERVER_ADDRESS);
        }
        CpuList before = affinity.current();
        affinity.pin(cpus);
        try {
            return builder.start();
        } finally {
            affinity.pin(before);
        }
    }
}
