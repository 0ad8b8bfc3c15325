package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.bench.profile.CollapsedStacks;
import org.cabrank.bench.profile.CpuProfiler;
import org.cabrank.bench.report.profile.CpuProfile;

/** Has a server profile itself in an interval. Sampling slows the server down, so the interval is used for nothing else. */
final class CpuProfiling implements Loader.Watch {

    private final ServerProcess server;
    private final String event;
    private final Path file;
    private String refusal;
    private boolean written;

    /**
     * @param event as in {@link CpuProfiler}
     * @param file for the stacks, written by the server
     */
    CpuProfiling(ServerProcess server, String event, Path file) {
        this.server = server;
        this.event = event;
        this.file = file;
    }

    @Override
    public void intervalBegins() throws ChildFailedException, InterruptedException {
        ask(CpuProfiler.start(event));
    }

    @Override
    public void intervalEnds() throws ChildFailedException, InterruptedException {
        if (refusal == null) {
            written = ask(CpuProfiler.stop(file));
        }
    }

    private boolean ask(String command) throws ChildFailedException, InterruptedException {
        String answer = server.profile(command);
        if (!answer.equals(CpuProfiler.DONE)) {
            refusal = answer.substring(CpuProfiler.REFUSED.length());
        }
        return refusal == null;
    }

    /** The reason why there is no profile; null if there is one. */
    String refusal() {
        return written || refusal != null ? refusal : "the interval did not end";
    }

    /** The profile of the interval, in which {@code answers} requests were answered. */
    CpuProfile profile(String cell, String contender, long answers) throws IOException {
        CollapsedStacks read = CollapsedStacks.parse(Files.readAllLines(file, StandardCharsets.UTF_8));
        return new CpuProfile(
                cell,
                contender,
                event,
                event.equals(CpuProfiler.WITH_KERNEL),
                CpuProfiler.INTERVAL_NS,
                answers,
                read.threads(),
                read.jvmSamples(),
                read.stacks());
    }
}
