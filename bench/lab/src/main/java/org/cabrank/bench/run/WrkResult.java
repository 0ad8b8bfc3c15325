package org.cabrank.bench.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Result of wrk, as printed by the script that the bench gives it.
 *
 * @param answers number of complete answers, whatever their status
 * @param elapsedNs time in ns from its first connection to the end of its last thread
 * @param bytes number of bytes that it received
 * @param errors number of errors by name; without those that did not occur
 * @param latencies latencies in ns, as wrk corrects them for requests that a slow answer delayed
 */
record WrkResult(long answers, long elapsedNs, long bytes, Map<String, Long> errors, Histogram latencies) {

    private static final long LATENCY_NS_MAX = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 3;
    private static final long NS_PER_US = 1_000;

    /** The script's names of errors, and what they mean. */
    private static final Map<String, String> ERRORS = Map.of(
            "connect", "connections refused",
            "read", "connections broken while an answer was awaited",
            "write", "connections broken while a request was sent",
            "status", "answers with an error's status",
            "timeout", "answers that took too long");

    /**
     * Reads the two lines that the script ends with, without the word in front of each.
     *
     * @param result pairs of a name and a number
     * @param latencies pairs of µs and how many answers took that long
     * @throws IllegalArgumentException when they are something else
     */
    static WrkResult parse(String result, String latencies) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        String[] words = words(result);
        for (int i = 0; i < words.length; i += 2) {
            numbers.put(words[i], Long.valueOf(words[i + 1]));
        }
        Map<String, Long> errors = new TreeMap<>();
        ERRORS.forEach((name, meaning) -> {
            long times = number(numbers, name);
            if (times > 0) {
                errors.put(meaning, times);
            }
        });
        return new WrkResult(
                number(numbers, "requests"),
                number(numbers, "duration") * NS_PER_US,
                number(numbers, "bytes"),
                errors,
                histogram(words(latencies)));
    }

    /** In pairs. */
    private static String[] words(String line) {
        String[] words = line.isBlank() ? new String[0] : line.strip().split(" ");
        if (words.length % 2 != 0) {
            throw new IllegalArgumentException("expected pairs: " + line);
        }
        return words;
    }

    private static long number(Map<String, Long> numbers, String name) {
        Long number = numbers.get(name);
        if (number == null) {
            throw new IllegalArgumentException("'" + name + "' is missing in " + numbers);
        }
        return number;
    }

    private static Histogram histogram(String[] pairs) {
        Histogram histogram = new Histogram(1, LATENCY_NS_MAX, LATENCY_DIGITS);
        for (int i = 0; i < pairs.length; i += 2) {
            long ns = Math.max(1, Long.parseLong(pairs[i]) * NS_PER_US);
            histogram.recordValueWithCount(Math.min(ns, LATENCY_NS_MAX), Long.parseLong(pairs[i + 1]));
        }
        return histogram;
    }
}
