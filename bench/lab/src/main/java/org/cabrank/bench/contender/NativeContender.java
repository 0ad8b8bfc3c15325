package org.cabrank.bench.contender;

import java.io.IOException;
import java.util.List;
import org.cabrank.bench.report.ContenderKind;

/**
 * A contender that is a program of its own rather than a class for a JVM. It says where it listens in one line on standard
 * output, as {@link ContenderProcess} does, answers no questions, and ends when its standard input ends.
 */
public interface NativeContender extends Contender {

    /**
     * Returns the program with its arguments. May take a second the first time, because the program is compiled.
     *
     * @throws ContenderUnavailableException if this machine lacks something that it needs
     */
    List<String> command(ServerSettings settings) throws IOException;

    @Override
    default ContenderKind kind() {
        return ContenderKind.LIMIT;
    }

    /** Starts the program as a child of this process; closing kills it. */
    @Override
    default RunningServer start(ServerSettings settings) throws IOException {
        return NativeServer.start(command(settings));
    }
}
