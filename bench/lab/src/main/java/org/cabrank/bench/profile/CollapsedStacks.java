package org.cabrank.bench.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.cabrank.bench.report.profile.CpuProfile.ThreadSamples;
import org.cabrank.bench.report.profile.StackTree;

/**
 * Stacks as async-profiler writes them: a line for each, {@code [THREAD tid=TID];FRAME;FRAME... SAMPLES}, the outermost frame
 * first.
 *
 * @param threads samples of each thread, the busiest first, without those of the JVM
 * @param jvmSamples samples of the JVM's own threads
 * @param stacks stacks of the threads without those of the JVM
 */
public record CollapsedStacks(List<ThreadSamples> threads, long jvmSamples, StackTree stacks) {

    /** Frames of Java: interpreted, compiled by C1, compiled by C2, or inlined. A method is one frame however it runs. */
    private static final Pattern JAVA = Pattern.compile("_\\[[ij01]]$");

    /** Addresses in the names of hidden classes, which differ from process to process. */
    private static final Pattern ADDRESS = Pattern.compile("[./+]0x[0-9a-f]+");

    private static final Pattern TID = Pattern.compile(" tid=\\d+$");

    /** Beginnings of the names that HotSpot gives its threads; the kernel keeps 15 characters of a name. */
    private static final List<String> THREADS_OF_JVM = List.of(
            "C1 ",
            "C2 ",
            "GC Thread",
            "G1 ",
            "ParGC",
            "VM Thread",
            "VM Periodic",
            "Monitor Deflati",
            "Signal Dispatch",
            "Service Thread",
            "Reference Handl",
            "Finalizer",
            "Common-Cleaner",
            "Notification Th",
            "Attach Listener",
            "JFR ",
            "Sweeper",
            "StringDedup",
            "Async-profiler");

    /**
     * Reads the lines of a profile.
     *
     * @throws IllegalArgumentException if a line is no stack; the message has the line
     */
    public static CollapsedStacks parse(List<String> lines) {
        Map<String, long[]> byThread = new LinkedHashMap<>();
        StackTree.Builder tree = new StackTree.Builder();
        long jvm = 0;
        for (String line : lines) {
            if (line.isBlank()) {
                continue;
            }
            int samples = samples(line);
            String[] parts = line.substring(0, line.lastIndexOf(' ')).split(";");
            String thread = thread(parts[0], line);
            if (isOfJvm(thread)) {
                jvm += samples;
                continue;
            }
            List<String> stack = new ArrayList<>();
            for (String frame : Arrays.asList(parts).subList(1, parts.length)) {
                stack.add(frame(frame));
            }
            if (stack.isEmpty()) {
                stack.add("[unknown]");
            }
            boolean inKernel = stack.get(stack.size() - 1).endsWith(StackTree.KERNEL);
            byThread.computeIfAbsent(thread, added -> new long[2])[inKernel ? 1 : 0] += samples;
            tree.add(stack, samples);
        }
        List<ThreadSamples> threads = byThread.entrySet().stream()
                .map(entry -> new ThreadSamples(entry.getKey(), entry.getValue()[0], entry.getValue()[1]))
                .sorted(Comparator.comparingLong((ThreadSamples one) -> -one.user() - one.kernel())
                        .thenComparing(ThreadSamples::thread))
                .toList();
        return new CollapsedStacks(threads, jvm, tree.build());
    }

    private static int samples(String line) {
        try {
            return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("no number of samples at the end of '" + line + "'", none);
        }
    }

    private static String thread(String first, String line) {
        if (!first.startsWith("[") || !first.endsWith("]")) {
            throw new IllegalArgumentException("no thread at the beginning of '" + line + "'");
        }
        return TID.matcher(first.substring(1, first.length() - 1)).replaceFirst("");
    }

    private static boolean isOfJvm(String thread) {
        return THREADS_OF_JVM.stream().anyMatch(thread::startsWith);
    }

    private static String frame(String raw) {
        String name = ADDRESS.matcher(raw).replaceAll("");
        return JAVA.matcher(name).replaceFirst(StackTree.JAVA);
    }
}
