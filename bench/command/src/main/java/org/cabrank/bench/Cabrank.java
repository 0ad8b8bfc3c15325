package org.cabrank.bench;

import org.cabrank.bench.cli.Commands;
import org.cabrank.bench.cli.DescriptorShortage;
import org.cabrank.bench.log.JdkLogFormat;

/** The {@code cabrank} command. */
public final class Cabrank {

    private Cabrank() {}

    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    private static int execute(String[] arguments) {
        DescriptorShortage.prepare();
        try {
            JdkLogFormat.setUnlessGiven();
            return Commands.execute(arguments);
        } catch (LinkageError | InternalError failure) { // an error of the JVM before a command could run
            if (!DescriptorShortage.explains(failure)) {
                throw failure;
            }
            System.err.println("cabrank: ".concat(DescriptorShortage.MESSAGE));
            return 1;
        }
    }
}
