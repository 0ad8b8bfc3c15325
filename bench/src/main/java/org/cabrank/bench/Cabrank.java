package org.cabrank.bench;

import java.io.IOException;
import java.util.Arrays;
import org.cabrank.bench.cli.Commands;
import org.cabrank.bench.contender.ContenderProcess;
import org.cabrank.bench.run.GeneratorProcess;

/** The {@code cabrank} command. */
public final class Cabrank {

    /** Starts a contender of the bench in this process; for the bench alone. */
    public static final String CONTENDER = "contender";

    /** The load generator's process of the bench; for the bench alone. */
    public static final String LOAD_GENERATOR = "load-generator";

    /** The choice of the kernel is logged in one line, not in the two that the JDK would make of it. */
    private static final String LOG_FORMAT = "cabrank: %5$s%6$s%n";

    private Cabrank() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (System.getProperty("java.util.logging.SimpleFormatter.format") == null) {
            System.setProperty("java.util.logging.SimpleFormatter.format", LOG_FORMAT);
        }
        String first = arguments.length == 0 ? "" : arguments[0];
        if (first.equals(CONTENDER)) {
            ContenderProcess.run(Arrays.copyOfRange(arguments, 1, arguments.length));
        } else if (first.equals(LOAD_GENERATOR)) {
            GeneratorProcess.run();
        }
        System.exit(Commands.execute(arguments));
    }
}
