package org.cabrank.bench;

import java.io.IOException;
import java.util.Arrays;
import org.cabrank.bench.cli.Commands;
import org.cabrank.bench.contender.ContenderProcess;

/** The {@code cabrank} command. */
public final class Cabrank {

    /** Starts a contender of the bench in this process; for the bench alone. */
    public static final String CONTENDER = "contender";

    private Cabrank() {}

    public static void main(String[] arguments) throws IOException {
        String first = arguments.length == 0 ? "" : arguments[0];
        if (first.equals(CONTENDER)) {
            ContenderProcess.run(Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        System.exit(Commands.execute(arguments));
    }
}
