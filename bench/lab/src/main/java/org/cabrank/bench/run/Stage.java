package org.cabrank.bench.run;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.text.BuildVersion;
import org.cabrank.kernel.Kernel;

/** The machine, the CPUs of servers and load, and the child processes. {@link #run} ends all child processes. */
final class Stage {

    private final Kernel kernel;
    private final Children children = new Children();
    private final JvmCommand jvm = JvmCommand.likeThisOne();
    private final MachineFacts facts = MachineFacts.ofThisMachine();
    private final String startedAt =
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final Affinity affinity;
    private final Pinning pinning;
    private final CpuPlan cpus;

    /** If {@code serverCpus} is null, chooses {@code serverCount} CPUs. If {@code loadCpus} is null, chooses the load's CPUs. */
    Stage(Kernel kernel, CpuList serverCpus, int serverCount, CpuList loadCpus) throws IOException {
        this.kernel = kernel;
        affinity = new Affinity(kernel);
        pinning = new Pinning(affinity);
        cpus = CpuPlan.of(affinity.current(), serverCpus, serverCount, loadCpus, facts::siblings);
    }

    @FunctionalInterface
    interface Play {
        void run() throws IOException, InterruptedException;
    }

    /** Runs {@code play}. If the user ends the process, kills the children, runs {@code endedEarly} and never returns. */
    void run(PrintStream out, Play play, Runnable endedEarly) throws IOException, InterruptedException {
        Thread hook = new Thread(
                () -> {
                    children.endAll();
                    endedEarly.run();
                },
                "bench-ended-early");
        Runtime.getRuntime().addShutdownHook(hook);
        out.println(cpus.explanation());
        if (!cpus.shared()) {
            // This process does little during a measurement, but must not use the server's CPUs.
            affinity.pin(affinity.current().without(cpus.server()));
        }
        loadClassesOfFirstAnswer();
        play.run();
        if (children.ending()) {
            // The shutdown hook is running and will end the process.
            Thread.currentThread().join();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    /** Loads classes that would otherwise delay the first contender's first answer. */
    private static void loadClassesOfFirstAnswer() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread echo = new Thread(
                    () -> {
                        try (SocketChannel channel = listener.accept()) {
                            ByteBuffer one = ByteBuffer.allocate(1);
                            channel.read(one);
                            channel.write(one.flip());
                        } catch (IOException broken) {
                            throw new UncheckedIOException(broken);
                        }
                    },
                    "first-answer");
            echo.start();
            ServerProcess.echoOneByte((InetSocketAddress) listener.getLocalAddress());
        }
    }

    /** Returns true if the user has ended the experiment. A run may then fail because of this. */
    boolean ending() {
        return children.ending();
    }

    /** Waits briefly for {@link #ending}. After Ctrl-C, a child may end before this process notices the signal. */
    boolean awaitEnding() throws InterruptedException {
        return children.awaitEnding();
    }

    Kernel kernel() {
        return kernel;
    }

    Children children() {
        return children;
    }

    JvmCommand jvm() {
        return jvm;
    }

    Pinning pinning() {
        return pinning;
    }

    CpuPlan cpus() {
        return cpus;
    }

    /** Returns {@code wanted}, or the number of the load's CPUs if it is 0. Never returns more than {@code connections}. */
    int loadThreads(int wanted, int connections) {
        return Math.min(wanted == 0 ? cpus.load().size() : wanted, connections);
    }

    String startedAt() {
        return startedAt;
    }

    Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("cabrank", BuildVersion.text());
        versions.put("netty", Contenders.nettyVersion());
        versions.put("kernel binding", kernel.name());
        return versions;
    }

    BenchReport.Machine reportedMachine() {
        return facts.machine();
    }

    BenchReport.Jvm reportedJvm() {
        return new BenchReport.Jvm(
                System.getProperty("java.vm.version"),
                System.getProperty("java.vm.vendor"),
                System.getProperty("java.home"),
                jvm.flags());
    }

    List<String> heapFlags() {
        return HeapFlags.beside(jvm.flags(), cpus.server().size());
    }

    List<String> weighingFlags() {
        return Weighing.flagsBeside(jvm.flags());
    }

    BenchReport.Cpus reportedCpus() {
        return new BenchReport.Cpus(
                cpus.server().toString(), cpus.load().toString(), cpus.shared(), cpus.explanation());
    }
}
