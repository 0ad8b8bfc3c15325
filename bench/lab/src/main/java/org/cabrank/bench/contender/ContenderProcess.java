package org.cabrank.bench.contender;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cabrank.bench.log.JdkLogFormat;
import org.cabrank.bench.measure.AllocatedBytes;
import org.cabrank.bench.measure.GarbageCollections;
import org.cabrank.bench.measure.JvmMemory;
import org.cabrank.bench.measure.UnweighableException;
import org.cabrank.bench.text.HostPort;

/**
 * Main class of a contender's process. Starts the server and talks to the bench over standard input and output:
 *
 * <pre>
 *   contender                          bench
 *   listening on HOST:PORT details  →
 *   unavailable REASON              →                         instead of "listening on"; the process then exits
 *                                   ←  allocated
 *   allocated BYTES                 →
 *                                   ←  slow ARGUMENTS         only if the server has a slow switch
 *   slow as told                    →
 *                                   ←  collections
 *   collections COUNT PAUSE-MS      →                         garbage collections since the start
 *                                   ←  memory
 *   memory BYTES                    →                         memory in use now, see JvmMemory
 *   unweighable REASON              →                         instead of "memory", if it cannot be measured
 *                                   ←  (end of input)         the process exits
 * </pre>
 */
public final class ContenderProcess {

    public static final String LISTENING = "listening on ";
    public static final String UNAVAILABLE = "unavailable ";
    public static final String ALLOCATED = "allocated";
    public static final String SLOW = "slow ";
    public static final String COLLECTIONS = "collections";
    public static final String MEMORY = "memory";
    public static final String UNWEIGHABLE = "unweighable ";

    private ContenderProcess() {}

    /** Ends the process. The first argument is the name of the contender. The settings follow. */
    public static void main(String[] arguments) throws IOException {
        JdkLogFormat.setUnlessGiven();
        Contender contender = Contenders.named(arguments[0]);
        ServerSettings settings =
                ServerSettings.fromArguments(Arrays.asList(arguments).subList(1, arguments.length));
        RunningServer server;
        try {
            ContenderUnavailableException.throwUnless(contender, settings.protocol());
            server = contender.start(settings);
        } catch (ContenderUnavailableException notHere) {
            System.out.println(UNAVAILABLE + oneLine(notHere.getMessage()));
            Runtime.getRuntime().halt(1);
            return;
        } catch (IOException notStarted) {
            System.err.println(contender.name() + ": " + notStarted.getMessage());
            Runtime.getRuntime().halt(1);
            return;
        }
        System.out.println(LISTENING + HostPort.format(server.address()) + " " + oneLine(server.details()));
        answerUntilEndOfInput(settings);
        // The server need not be closed, because the load generator has already closed the connections.
        Runtime.getRuntime().halt(0);
    }

    /** Joins the lines of a description, because a message of the conversation is one line. */
    static String oneLine(String words) {
        return words.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    private static void answerUntilEndOfInput(ServerSettings settings) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        AllocatedBytes allocated = null;
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            if (command.startsWith(SLOW)) {
                System.out.println(slow(settings, command.substring(SLOW.length())));
                continue;
            }
            if (command.equals(COLLECTIONS)) {
                GarbageCollections collections = GarbageCollections.now();
                System.out.println(COLLECTIONS + " " + collections.count() + " " + collections.pauseMs());
                continue;
            }
            if (command.equals(MEMORY)) {
                System.out.println(memory());
                continue;
            }
            if (!command.equals(ALLOCATED)) {
                throw new IOException("unknown command from the bench: " + command);
            }
            if (allocated == null) {
                // Created only now, because loading the management classes would delay the first answer, which the
                // bench times.
                allocated = new AllocatedBytes();
            }
            System.out.println(ALLOCATED + " " + allocated.now());
        }
    }

    private static String slow(ServerSettings settings, String arguments) throws IOException {
        if (settings.slowSwitch() == null) {
            throw new IOException("the bench changes the slowness of a server that was not started for that");
        }
        settings.slowSwitch().set(ServerSettings.takeSlow(new ArrayList<>(List.of(arguments.split(" ")))));
        return SLOW + "as told";
    }

    private static String memory() {
        try {
            return MEMORY + " " + JvmMemory.bytes();
        } catch (UnweighableException notTold) {
            return UNWEIGHABLE + oneLine(notTold.getMessage());
        }
    }
}
