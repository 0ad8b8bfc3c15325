package org.cabrank.bench.contender;

import java.io.IOException;
import java.util.List;
import org.cabrank.bench.report.ContenderKind;

/**
 * A contender that is a separate program. It writes its address to standard output, like {@link ContenderProcess}. It answers no commands,
 * and ends when its standard input ends.
 */
public interface NativeContender extends Contender {

    /** Returns the program with its arguments. The first call may take 1 s, because it compiles the program. */
    List<String> command(ServerSettings settings) throws IOException;

    @Override
    default ContenderKind kind() {
        return ContenderKind.LIMIT;
    }

    /** Starts the program as a child process, which {@link RunningServer#close} kills. */
    @Override
    default RunningServer start(ServerSettings settings) throws IOException {
        return NativeServer.start(command(settings));
    }
}
