package org.cabrank.bench.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.cabrank.bench.text.Durations;
import org.cabrank.bench.text.HostPort;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line of {@code cabrank}. */
@Command(
        name = "cabrank",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "A Leader/Followers reactor for Linux on the JVM: serve, load, compare.",
        footer = {
            "",
            "scripts/cabrank jmh [PATTERN...] runs the microbenchmarks, which have a command line of their own."
        })
public final class Commands implements Runnable {

    /** Commands that run without loading the classes of the other commands. */
    private static final Set<String> ALONE = Set.of("serve", "load", "bench", "topology", "doctor");

    @Spec
    private CommandSpec spec;

    /** Runs a command. Returns the exit status: 0, or one of the constants in {@code Errors}. */
    public static int execute(String... arguments) {
        CommandLine root = commandLine(arguments);
        PrintWriter out = new PrintWriter(System.out);
        setOut(root, out);
        int status = root.execute(arguments);
        return out.checkError() || System.out.checkError() ? outputFailed(root, status) : status;
    }

    private static void setOut(CommandLine command, PrintWriter out) {
        command.setOut(out); // also for the subcommands
    }

    private static int outputFailed(CommandLine root, int status) {
        String cause = "cause unknown";
        try (FileOutputStream output = new FileOutputStream(FileDescriptor.out)) {
            output.write('\n'); // the stream records that a write failed, but not the cause
        } catch (IOException failed) {
            cause = failed.getMessage();
        }
        if (!cause.contains("Broken pipe")) { // "| head", for instance, stops reading
            root.getErr().println("cabrank: standard output could not be written: " + cause);
            root.getErr().flush();
        }
        return status == 0 ? Errors.FAILED : status;
    }

    static CommandLine commandLine(String... arguments) {
        CommandLine root = new CommandLine(new Commands());
        // Adds only the wanted command, because adding loads its classes. A server must not wait for the classes of the
        // bench.
        String wanted = arguments.length == 0 ? "" : arguments[0];
        boolean all = !ALONE.contains(wanted);
        if (all || wanted.equals("serve")) {
            CommandLine serve = new CommandLine(new ServeCommand());
            serve.getCommandSpec().usageMessage().footer(NamedSettings.help());
            root.addSubcommand("serve", serve);
        }
        if (all || wanted.equals("load")) {
            root.addSubcommand("load", new LoadCommand());
        }
        if (all || wanted.equals("bench")) {
            root.addSubcommand("bench", new BenchCommand());
        }
        if (all || wanted.equals("topology")) {
            root.addSubcommand("topology", new TopologyCommand());
        }
        if (all || wanted.equals("doctor")) {
            root.addSubcommand("doctor", new DoctorCommand());
        }
        if (all) {
            root.addSubcommand("help", new HelpCommand());
            root.addSubcommand("generate-completion", new AutoComplete.GenerateCompletion());
        }
        Errors errors = new Errors();
        return root.setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .registerConverter(Duration.class, converter(Durations::parse))
                .registerConverter(HostPort.class, converter(HostPort::parse))
                .registerConverter(ListenTarget.class, converter(ListenTarget::parse));
    }

    private static <T> ITypeConverter<T> converter(Function<String, T> parser) {
        return text -> {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        };
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: " + String.join(", ", spec.subcommands().keySet()));
    }
}
