package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line for what a user did or can mend, with the exit status it stands for; a stack trace for our own mistakes. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    /** Exit status of a command that could not do its work. */
    static final int FAILED = 1;

    /** The command line is wrong. */
    static final int USAGE = 2;

    /** A bench became worse than its baseline by more than noise. */
    static final int REGRESSION = 3;

    private static final Pattern CHOICES = Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\)");

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        print(command.getErr(), name + ": " + words(wrong, command) + "; see '" + name + " --help'");
        return USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof Failure) {
            print(command.getErr(), command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
            return FAILED;
        }
        if (failure.getCause() instanceof Error error && DescriptorShortage.explains(error)) {
            print(
                    command.getErr(),
                    command.getCommandSpec().qualifiedName().concat(": ").concat(DescriptorShortage.MESSAGE));
            return FAILED;
        }
        throw failure;
    }

    private static String words(ParameterException wrong, CommandLine command) {
        boolean unknownCommand = wrong instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption();
        String commands = String.join(", ", command.getSubcommands().keySet());
        if (unknownCommand && !commands.isEmpty()) {
            String first = ((UnmatchedArgumentException) wrong).getUnmatched().get(0);
            return "there is no command '" + first + "': there is " + commands;
        }
        return lowerCaseChoices(oneLine(wrong.getMessage()));
    }

    /** picocli writes its messages like sentences, sometimes over several lines; ours continue one line. */
    private static String oneLine(String message) {
        String line = message.replaceAll("\\s*\\R\\s*", ", ").strip();
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    /** Our flags' values are written in lower case; picocli names the constants behind them. */
    private static String lowerCaseChoices(String line) {
        return CHOICES.matcher(line)
                .replaceFirst(choices -> "expected one of " + choices.group(1).toLowerCase(Locale.ROOT));
    }

    private static void print(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }
}
