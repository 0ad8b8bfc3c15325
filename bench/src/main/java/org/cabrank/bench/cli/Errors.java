package org.cabrank.bench.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** One line for what a user did or can mend, with the exit status it stands for; a stack trace for our own mistakes. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    /** What was asked for could not be done. */
    static final int FAILED = 1;

    /** The command line is wrong. */
    static final int USAGE = 2;

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        print(command.getErr(), name + ": " + sentence(wrong.getMessage()) + "; see '" + name + " --help'");
        return USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof Failure) {
            print(command.getErr(), command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
            return FAILED;
        }
        throw failure;
    }

    /** picocli begins its messages like sentences, sometimes over several lines; ours continue one line. */
    private static String sentence(String message) {
        String line = message.replaceAll("\\s*\\R\\s*", ", ").strip();
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    private static void print(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }
}
