package org.cabrank.bench.cli;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.Scheduler;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.pinning.MachineSnapshot;
import org.cabrank.pinning.PlacementRefusedException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

final class CommandMachine {

    private CommandMachine() {}

    static Kernel kernel() {
        try {
            return Kernels.system();
        } catch (KernelUnavailableException none) {
            throw new Failure(none.getMessage(), none);
        }
    }

    /** Returns a {@link Failure} if a thread could not be placed. Returns any other exception unchanged. */
    static RuntimeException refusedPlacement(RuntimeException notStarted) {
        for (Throwable cause = notStarted; cause != null; cause = cause.getCause()) {
            if (cause instanceof PlacementRefusedException || cause instanceof Failure) {
                return new Failure(cause.getMessage(), notStarted);
            }
        }
        return notStarted;
    }

    static MachineSnapshot snapshot(MachineRoots roots, CommandLine command) {
        try {
            roots.check();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command, wrong.getMessage(), wrong);
        }
        return MachineSnapshot.read(kernel(), roots.sysfs(), roots.procfs());
    }

    /** Checks that {@code cpus} can be used. Returns an action that pins each calling thread to the next CPU. */
    static Runnable pinningInTurn(CpuList cpus) {
        if (cpus == null) {
            return () -> {};
        }
        Affinity affinity = new Affinity(kernel());
        checkAllowed(affinity, cpus);
        int[] numbers = cpus.cpus().toArray();
        AtomicInteger next = new AtomicInteger();
        return () -> pin(affinity, CpuList.of(numbers[next.getAndIncrement() % numbers.length]));
    }

    /** Checks {@code policy} by setting it on a new thread. Returns an action that sets it on the calling thread. */
    static Runnable scheduling(SchedulingPolicy policy) {
        if (policy == null) {
            return () -> {};
        }
        Scheduler scheduler = new Scheduler(kernel());
        CompletableFuture<Void> tried = new CompletableFuture<>();
        new Thread(
                        () -> {
                            try {
                                scheduler.apply(policy);
                                tried.complete(null);
                            } catch (IOException refused) {
                                tried.completeExceptionally(refused);
                            }
                        },
                        "cabrank-try-scheduling")
                .start();
        try {
            tried.join();
        } catch (CompletionException refused) {
            throw new Failure(
                    "--set serve.scheduling=" + policy + ": "
                            + refused.getCause().getMessage(),
                    refused.getCause());
        }
        return () -> apply(scheduler, policy);
    }

    private static void apply(Scheduler scheduler, SchedulingPolicy policy) {
        try {
            scheduler.apply(policy);
        } catch (IOException refused) {
            throw new Failure(refused.getMessage(), refused);
        }
    }

    private static void checkAllowed(Affinity affinity, CpuList cpus) {
        try {
            CpuList allowed = affinity.current();
            if (!allowed.containsAll(cpus)) {
                throw new Failure("--cpus " + cpus + ": this process may use only " + allowed);
            }
        } catch (IOException unknown) {
            throw new Failure(unknown.getMessage(), unknown);
        }
    }

    private static void pin(Affinity affinity, CpuList cpus) {
        try {
            affinity.pin(cpus);
        } catch (IOException refused) {
            throw new Failure(refused.getMessage(), refused);
        }
    }
}
