package org.cabrank.bench.contender;

import java.io.IOException;
import java.util.List;
import org.cabrank.bench.report.ContenderKind;

/**
 * A contender that is a separate program. It writes its address in one line to standard output, as {@link ContenderProcess} does, answers
 * no questions, and ends when its standard input ends.
 */
public interface NativeContender extends Contender {

    /** Returns the program with its arguments. May take 1 s the first time, because the program is compiled. */
    List<String> command(ServerSettings settings) throws IOException;

    @Override
    default ContenderKind kind() {
        return ContenderKind.LIMIT;
    }

    /** Starts the program as a child process; closing the server kills the child. */
    @Override
    default RunningServer start(ServerSettings settings) throws IOException {
        return NativeServer.start(command(settings));
    }
}
