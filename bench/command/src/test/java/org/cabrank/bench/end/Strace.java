package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * strace(1) as a kernel that refuses system calls. The tracer detaches itself, so the process that is started is the server; a
 * seccomp filter lets all other calls run at full speed.
 */
final class Strace {
    private static final List<String> COMMAND =
            List.of("strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", "signal=none");
    private static final String INJECTED = "(INJECTED)";

    private final List<String> faults;
    private final Path log;

    /**
     * @param faults faults in strace's {@code inject} syntax, {@code CALL:error=ERRNO:when=FIRST+STEP}, counted per thread
     * @param log file for a line about each traced call
     */
    Strace(List<String> faults, Path log) {
        this.faults = faults;
        this.log = log;
    }

    /** Skips the test where strace is missing, or where this process may not trace another. */
    static void assumeAvailable() throws InterruptedException {
        String refusal = "";
        try {
            List<String> trial = new ArrayList<>(COMMAND);
            trial.addAll(List.of("-o", "/dev/null", "-e", "trace=getppid", "-e", "inject=getppid:error=EPERM", "true"));
            if (new ProcessBuilder(trial).start().waitFor() != 0) {
                refusal = "strace cannot trace here: ptrace is refused (in a container: --cap-add SYS_PTRACE),"
                        + " or strace is older than 5.3";
            }
        } catch (IOException missing) {
            refusal = "strace is missing: apt-get install strace";
        }
        assumeTrue(refusal.isEmpty(), refusal);
    }

    /** The beginning of a command line. */
    List<String> command() {
        List<String> command = new ArrayList<>(COMMAND);
        command.addAll(List.of("-o", log.toString(), "-e", "trace=" + String.join(",", calls())));
        for (String fault : faults) {
            command.addAll(List.of("-e", "inject=" + fault));
        }
        return command;
    }

    /** Fails unless each of the calls has been refused at least once. */
    void assertInjected() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            String refused = lines.filter(line -> line.endsWith(INJECTED)).collect(Collectors.joining("\n"));
            calls().forEach(call -> assertTrue(refused.contains(call + "("), () -> call + " was never refused"));
        }
    }

    private List<String> calls() {
        return faults.stream()
                .map(fault -> fault.substring(0, fault.indexOf(':')))
                .distinct()
                .toList();
    }
}
