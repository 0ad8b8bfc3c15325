package org.cabrank.bench.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.bench.text.ByteSizes;
import org.cabrank.bench.text.Durations;
import org.cabrank.iouring.config.RingOptions;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Flags for io_uring rings, valid with {@code --backend iouring} only. */
final class RingOptionsMixin {

    private static final String PREFIX = "--ring-";
    private static final String OFF = "off";

    /** Flags by the names that {@link RingOptions} uses in its error messages; no name is a prefix of a later one. */
    private static final Map<String, String> FLAGS = new LinkedHashMap<>();

    static {
        FLAGS.put("submissionEntries", "--ring-entries");
        FLAGS.put("completionEntries", "--ring-completions");
        FLAGS.put("completionsAtStart", "--ring-completions-at-start");
        FLAGS.put("receiveBuffers", "--ring-buffers");
        FLAGS.put("receiveBufferBytes", "--ring-buffer-size");
        FLAGS.put("zeroCopyBytes", "--ring-zero-copy");
        FLAGS.put("sqPollIdle", "--ring-sqpoll");
        FLAGS.put("sqPollCpu", "--ring-sqpoll-cpu");
        FLAGS.put("sqPollShared", "--ring-sqpoll-shared");
        FLAGS.put("napiBusyPoll", "--ring-napi");
        FLAGS.put("napiPrefer", "--ring-napi-prefer");
        FLAGS.put("napiStatic", "--ring-napi-static");
        FLAGS.put("unboundedWorkersMax", "--ring-socket-workers");
        FLAGS.put("boundedWorkersMax", "--ring-file-workers");
        FLAGS.put("batchWait", "--ring-batch-wait");
        FLAGS.put("batch", "--ring-batch");
    }

    private static final Pattern NAMES = Pattern.compile("\\b(" + String.join("|", FLAGS.keySet()) + ")\\b");

    @Option(
            names = "--ring-entries",
            paramLabel = "N",
            description = "Submissions that fit into a ring before they have to be handed over (default 1024).")
    private Integer entries;

    @Option(
            names = "--ring-completions",
            paramLabel = "N",
            description = "Completions that fit into a ring before the kernel keeps them elsewhere (default 16384).")
    private Integer completions;

    @Option(
            names = "--ring-completions-at-start",
            paramLabel = "N",
            description = "Completions that fit into a ring of one thread at first; it grows to --ring-completions when"
                    + " it is half full (Linux 6.13; default: all of them).")
    private Integer completionsAtStart;

    @Option(
            names = "--ring-buffers",
            paramLabel = "N",
            description = "Buffers of each ring that the kernel receives into, a power of two (default 4096).")
    private Integer buffers;

    @Option(
            names = "--ring-buffer-size",
            paramLabel = "BYTES",
            converter = Converters.ByteCounts.class,
            description = "Size of each of them, such as 512 or 16k (default 4k).")
    private Integer bufferBytes;

    @Option(
            names = "--ring-incremental",
            description = "Let the kernel fill a buffer piece by piece instead of taking one per receive (Linux 6.12).")
    private boolean incremental;

    @Option(
            names = "--no-ring-bundles",
            description = "Have each completion tell of one filled buffer, as before Linux 6.17.")
    private boolean unbundled;

    @Option(
            names = "--ring-registered-files",
            description =
                    "Let the requests of a socket name a place in the ring's own table of files, from Linux 6.13.")
    private boolean registeredFiles;

    @Option(
            names = "--ring-zero-copy",
            paramLabel = "BYTES|off",
            converter = SizeOrOff.class,
            description = "Sends of at least so many bytes are not copied, such as 64k (default off).")
    private Integer zeroCopyBytes;

    @Option(
            names = "--ring-sqpoll",
            paramLabel = "TIME",
            description =
                    "A kernel thread takes the submissions, and sleeps when it has seen none for so long; it needs"
                            + " a CPU of its own (default: no such thread).")
    private Duration sqPollIdle;

    @Option(
            names = "--ring-sqpoll-cpu",
            paramLabel = "N",
            description = "The CPU that this thread stays on (default: any).")
    private Integer sqPollCpu;

    @Option(names = "--ring-sqpoll-shared", description = "One such thread for all --shards, instead of one for each.")
    private boolean sqPollShared;

    @Option(
            names = "--ring-napi",
            paramLabel = "TIME",
            description = "Look at the network devices for so long before sleeping (Linux 6.9, default: not at all).")
    private Duration napiBusyPoll;

    @Option(
            names = "--ring-napi-prefer",
            description = "Keep the devices from raising interrupts meanwhile (prefer_busy_poll; with --ring-napi).")
    private boolean napiPrefer;

    @Option(
            names = "--ring-napi-static",
            description = "Look at the receive queues of this server's connections, instead of having the kernel look"
                    + " them up for each request (Linux 6.13; with --ring-napi).")
    private boolean napiStatic;

    @Option(
            names = "--ring-batch",
            paramLabel = "N",
            description = "Wait for so many completions, but not for longer than --ring-batch-wait (default 1).")
    private Integer batch;

    @Option(
            names = "--ring-batch-wait",
            paramLabel = "TIME",
            description = "How long a wait may be for more than the first completion (Linux 6.12).")
    private Duration batchWait;

    @Option(
            names = "--ring-iowait",
            description =
                    "Let an idle ring count as waiting for I/O, as before Linux 6.15; some governors clock up then.")
    private boolean ioWait;

    @Option(
            names = "--ring-file-workers",
            paramLabel = "N",
            description = "Kernel threads that each thread of a ring may have for requests on files that would block it"
                    + " (default: the kernel's limit).")
    private Integer fileWorkers;

    @Option(
            names = "--ring-socket-workers",
            paramLabel = "N",
            description = "Likewise for requests on sockets, pipes and terminals (default: the kernel's limit).")
    private Integer socketWorkers;

    @Option(
            names = "--ring-restricted",
            description = "Have the kernel refuse all operations of the rings that this server does not need.")
    private boolean restricted;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private static final class SizeOrOff implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (text.equalsIgnoreCase(OFF)) {
                return Integer.MAX_VALUE;
            }
            try {
                return ByteSizes.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage() + ", or " + OFF);
            }
        }
    }

    /** The first of these flags that was given, or null. */
    String firstGiven() {
        return command.options().stream()
                .filter(option -> option.longestName().startsWith(PREFIX) && option.getValue() != null)
                .filter(option -> !Boolean.FALSE.equals(option.getValue()))
                .map(option -> option.longestName())
                .findFirst()
                .orElse(null);
    }

    /** Throws an IllegalArgumentException that names the flag if it does not fit the number of shards. */
    void checkShards(int shards) {
        if (sqPollShared && shards == 1) {
            throw new IllegalArgumentException(
                    "--ring-sqpoll-shared is for several shards: leave it out, or choose more --shards");
        }
    }

    /** Throws an IllegalArgumentException that names the flags if they are wrong. */
    RingOptions options() {
        RingOptions standard = RingOptions.DEFAULT;
        try {
            return standard.withEntries(
                            entries == null ? standard.submissionEntries() : entries,
                            completions == null ? standard.completionEntries() : completions)
                    .withCompletionsAtStart(
                            completionsAtStart == null ? standard.completionsAtStart() : completionsAtStart)
                    .withReceiveBuffers(
                            buffers == null ? standard.receiveBuffers() : buffers,
                            bufferBytes == null ? standard.receiveBufferBytes() : bufferBytes)
                    .withIncremental(incremental)
                    .withBundles(!unbundled)
                    .withRegisteredFiles(registeredFiles)
                    .withZeroCopyBytes(zeroCopyBytes == null ? standard.zeroCopyBytes() : zeroCopyBytes)
                    .withSqPoll(
                            sqPollIdle == null ? standard.sqPollIdle() : sqPollIdle,
                            sqPollCpu == null ? standard.sqPollCpu() : sqPollCpu)
                    .withSqPollShared(sqPollShared)
                    .withNapiBusyPoll(napiBusyPoll == null ? standard.napiBusyPoll() : napiBusyPoll)
                    .withNapiPrefer(napiPrefer)
                    .withNapiStatic(napiStatic)
                    .withBatch(
                            batch == null ? standard.batch() : batch,
                            batchWait == null ? standard.batchWait() : batchWait)
                    .withIoWait(ioWait)
                    .withWorkersMax(
                            fileWorkers == null ? standard.boundedWorkersMax() : fileWorkers,
                            socketWorkers == null ? standard.unboundedWorkersMax() : socketWorkers)
                    .withRestricted(restricted);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(inWordsOfTheCommandLine(wrong.getMessage()), wrong);
        }
    }

    static String inWordsOfTheCommandLine(String message) {
        String named = NAMES.matcher(message).replaceAll(name -> Matcher.quoteReplacement(FLAGS.get(name.group())));
        return Durations.replaceIso(named);
    }
}
