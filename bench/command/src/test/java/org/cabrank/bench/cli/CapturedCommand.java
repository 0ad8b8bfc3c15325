package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * Result of a command that was run in this JVM.
 *
 * @param out standard output
 * @param err standard error
 */
public record CapturedCommand(int status, String out, String err) {
    /** Runs {@code cabrank} with these arguments. */
    public static CapturedCommand run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commands = Commands.commandLine(arguments);
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int status = commands.execute(arguments);
        return new CapturedCommand(status, out.toString(), err.toString());
    }
}
