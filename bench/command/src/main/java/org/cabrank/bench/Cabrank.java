package org.cabrank.bench;

import org.cabrank.bench.cli.Commands;
import org.cabrank.bench.log.JdkLogFormat;

/** The {@code cabrank} command. */
public final class Cabrank {

    private Cabrank() {}

    public static void main(String[] arguments) {
        JdkLogFormat.setUnlessGiven();
        System.exit(Commands.execute(arguments));
    }
}
