package org.cabrank.bench.experiment;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Life of an experiment's server process: prints its ports, prints its counters for each line of its standard input, and
 * halts at the end of that input, and so when the bench is killed. Real-time threads do not survive it.
 */
final class ServedUntilInputEnds {

    static final String LISTENING = "listening ";
    static final String COUNTERS = "counters ";
    static final long TIMEOUT_NS = 60_000_000_000L;

    private ServedUntilInputEnds() {}

    /** Starts servers, and returns their ports with spaces between. */
    interface Start {
        String ports() throws IOException;
    }

    /** Does not return. */
    static void run(String name, Start start, Supplier<String> counters) throws IOException {
        try {
            System.out.println(LISTENING + start.ports());
        } catch (IOException | IllegalStateException refused) {
            System.err.println(name + ": " + refused.getMessage());
            Runtime.getRuntime().halt(1);
        }
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (commands.readLine() != null) {
            System.out.println(COUNTERS + counters.get());
        }
        Runtime.getRuntime().halt(0);
    }
}
