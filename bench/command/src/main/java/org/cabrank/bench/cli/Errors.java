package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    static final int FAILED = 1;

    static final int USAGE = 2;

    /** Exit status if the result of a bench is worse than its baseline, and noise does not explain the difference. */
    static final int REGRESSION = 3;

    /** A name is suggested if at most this number of its letters are wrong. For long names the maximum is a quarter of the letters. */
    private static final int EDITS_MAX = 2;

    private static final Pattern CHOICES = Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\)");

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        print(command.getErr(), name + ": " + text(wrong, command) + "; see '" + name + " --help'");
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

    private static String text(ParameterException wrong, CommandLine command) {
        boolean unknownCommand = wrong instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption();
        String commands = String.join(", ", command.getSubcommands().keySet());
        if (unknownCommand && !commands.isEmpty()) {
            String first = ((UnmatchedArgumentException) wrong).getUnmatched().get(0);
            return "there is no command '" + first + "': there is " + commands + didYouMean(wrong);
        }
        return lowerCaseChoices(oneLine(wrong.getMessage())) + didYouMean(wrong);
    }

    private static String didYouMean(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        String given = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        List<String> similar = unmatched.getSuggestions().stream() // some suggestions share hardly a letter
                .filter(name -> edits(given, name) <= Math.max(EDITS_MAX, given.length() / 4))
                .toList();
        return similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
    }

    /** Levenshtein distance. */
    private static int edits(String from, String to) {
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }

    private static String oneLine(String message) {
        String line = message.replaceAll("\\s*\\R\\s*", ", ").strip();
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    /** Writes the choices in a message of picocli in lower case, as in our help. picocli shows the names of the enum constants. */
    private static String lowerCaseChoices(String line) {
        return CHOICES.matcher(line)
                .replaceFirst(choices -> "expected one of " + choices.group(1).toLowerCase(Locale.ROOT));
    }

    private static void print(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }
}
