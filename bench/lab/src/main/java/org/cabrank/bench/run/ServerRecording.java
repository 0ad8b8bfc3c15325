package org.cabrank.bench.run;

import java.nio.file.Path;
import org.cabrank.bench.profile.CpuProfiler;

/**
 * Has a server sample its own stacks in an interval, and write the result to a file. Sampling slows the server down, so the interval is
 * used for nothing else.
 */
final class ServerRecording implements Loader.Watch {

    private final ServerProcess server;
    private final String event;
    private final Path file;
    private String refusal;
    private boolean written;

    /** Samples the server's stacks by {@code event} of {@link CpuProfiler}. */
    ServerRecording(ServerProcess server, String event, Path file) {
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

    /** The reason why there is no file; null if there is one. */
    String refusal() {
        return written || refusal != null ? refusal : "the interval did not end";
    }
}
