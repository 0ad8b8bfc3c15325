package org.cabrank.bench.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.cabrank.affinity.CpuList;
import org.cabrank.kernel.Kernel;

/**
 * The costs of this machine, each the shortest of many batches (what takes longer was disturbed), and those that cannot be
 * measured here, assumed. Takes about a second and two threads, pinned to the first two CPUs.
 *
 * @param notes where each cost comes from, in words
 */
public record CostCalibration(Costs costs, List<String> notes) {

    public CostCalibration {
        notes = List.copyOf(notes);
    }

    /** Leadership's word, the two ends of the ready list, and where the follower waits. */
    private static final double PROMOTION_LINES = 4;

    /** Its state and its place in the table of handles; what the kernel has of it comes on top. */
    private static final double CONNECTION_LINES = 3;

    /** Of lines between two sockets, in terms of lines within one. */
    private static final double REMOTE_FACTOR = 3;

    /** Between two cores of one socket, where there are no two here to measure it. */
    private static final double TRANSFER_ASSUMED_NS = 60;

    /** Measures on CPUs of {@code allowed}. The calling thread is where it was before. */
    public static CostCalibration measure(Kernel kernel, CpuList allowed) throws IOException, InterruptedException {
        List<String> notes = new ArrayList<>();
        KernelTimings calls = KernelTimings.measure(kernel);
        notes.add("harvest, event: epoll_wait with 1 and " + KernelTimings.MANY
                + " ready events; a read and a write of " + KernelTimings.MESSAGE_BYTES + " B over loopback");
        ThreadTimings threads = ThreadTimings.measure(kernel, allowed);
        notes.add("promotion: two compare-and-sets of a word in the thread's own cache");
        double transferNs = threads.transferNs();
        if (Double.isNaN(transferNs)) {
            transferNs = TRANSFER_ASSUMED_NS;
            notes.add("transfer: assumed, because this process may use only CPU " + allowed);
        } else {
            notes.add("transfer: half of a round of a word between two CPUs");
        }
        notes.add(
                "wakeup, unpark: LockSupport, half of a round between two threads on two CPUs that have nothing else to do, and the call alone");
        notes.add("remote-transfer: assumed to be " + (int) REMOTE_FACTOR
                + " times transfer; promotion-lines, connection-lines: counted in the code");
        return new CostCalibration(
                new Costs(
                        calls.harvestNs(),
                        calls.eventNs(),
                        threads.promotionNs(),
                        transferNs,
                        REMOTE_FACTOR * transferNs,
                        PROMOTION_LINES,
                        CONNECTION_LINES,
                        threads.wakeupNs(),
                        Math.min(threads.unparkNs(), threads.wakeupNs())),
                notes);
    }

    /** With the costs that {@code given} names instead of these, and a note that says so. */
    public CostCalibration with(Map<String, Double> given) {
        if (given.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(notes);
        all.add("Given on the command line: " + String.join(", ", new TreeSet<>(given.keySet())));
        return new CostCalibration(costs.with(given), all);
    }

    /** The shortest of so many batches, at least one, each of which takes its own time, in ns. */
    static double shortest(int batches, Batch batch) throws IOException {
        double[] times = new double[batches];
        for (int i = 0; i < batches; i++) {
            times[i] = batch.ns();
        }
        return Arrays.stream(times).min().orElseThrow();
    }

    /** Something that is timed. */
    interface Batch {
        /** How long it took, for each time it was done. */
        double ns() throws IOException;
    }
}
