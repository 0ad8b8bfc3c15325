package org.cabrank.bench.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.bench.text.Durations;
import org.cabrank.iouring.config.RingOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Flags for io_uring rings, valid with {@code --backend iouring} only. */
final class RingOptionsMixin {

    private static final String PREFIX = "--ring-";

    /** Flags by the names that {@link RingOptions} uses in its error messages; no name is a prefix of a later one. */
    private static final Map<String, String> FLAGS = new LinkedHashMap<>();

    static {
        FLAGS.put("submissionEntries", "--ring-entries");
        FLAGS.put("completionEntries", "--ring-completions");
        FLAGS.put("receiveBuffers", "--ring-buffers");
        FLAGS.put("receiveBufferBytes", "--ring-buffer-size");
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

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The first of these flags that was given, or null. */
    String firstGiven() {
        return command.options().stream()
                .filter(option -> option.longestName().startsWith(PREFIX) && option.getValue() != null)
                .filter(option -> !Boolean.FALSE.equals(option.getValue()))
                .map(option -> option.longestName())
                .findFirst()
                .orElse(null);
    }

    /** Throws an IllegalArgumentException that names the flags if they are wrong. */
    RingOptions options() {
        RingOptions standard = RingOptions.DEFAULT;
        try {
            return standard.withEntries(
                            entries == null ? standard.submissionEntries() : entries,
                            completions == null ? standard.completionEntries() : completions)
                    .withReceiveBuffers(
                            buffers == null ? standard.receiveBuffers() : buffers,
                            bufferBytes == null ? standard.receiveBufferBytes() : bufferBytes)
                    .withIncremental(incremental)
                    .withBundles(!unbundled)
                    .withBatch(
                            batch == null ? standard.batch() : batch,
                            batchWait == null ? standard.batchWait() : batchWait)
                    .withIoWait(ioWait)
                    .withWorkersMax(
                            fileWorkers == null ? standard.boundedWorkersMax() : fileWorkers,
                            socketWorkers == null ? standard.unboundedWorkersMax() : socketWorkers);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(inWordsOfTheCommandLine(wrong.getMessage()), wrong);
        }
    }

    static String inWordsOfTheCommandLine(String message) {
        String named = NAMES.matcher(message).replaceAll(name -> Matcher.quoteReplacement(FLAGS.get(name.group())));
        return Durations.replaceIso(named);
    }
}
