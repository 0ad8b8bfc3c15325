package org.cabrank.bench.run;

import java.nio.file.Path;
import org.cabrank.bench.contender.ContenderProcess;
import org.cabrank.bench.profile.CpuProfiler;
import org.cabrank.bench.profile.PoolRecording;

/**
 * Has a server record itself in an interval, and write the result to a file. Recording slows the server down, so the interval is used
 * for nothing else.
 */
final class ServerRecording implements Loader.Watch {

    private final ServerProcess server;
    private final String recorder;
    private final String start;
    private final String stop;
    private String refusal;
    private boolean written;

    private ServerRecording(ServerProcess server, String recorder, String start, String stop) {
        this.server = server;
        this.recorder = recorder;
        this.start = start;
        this.stop = stop;
    }

    /** Samples the server's stacks by {@code event} of {@link CpuProfiler}. */
    static ServerRecording ofStacks(ServerProcess server, String event, Path file) {
        return new ServerRecording(server, ContenderProcess.PROFILE, CpuProfiler.start(event), CpuProfiler.stop(file));
    }

    /** Records what the threads of the server's pools do. */
    static ServerRecording ofPools(ServerProcess server, Path file) {
        return new ServerRecording(server, ContenderProcess.RECORD, PoolRecording.START, PoolRecording.stop(file));
    }

    @Override
    public void intervalBegins() throws ChildFailedException, InterruptedException {
        ask(start);
    }

    @Override
    public void intervalEnds() throws ChildFailedException, InterruptedException {
        if (refusal == null) {
            written = ask(stop);
        }
    }

    private boolean ask(String command) throws ChildFailedException, InterruptedException {
        String answer = server.record(recorder, command);
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
