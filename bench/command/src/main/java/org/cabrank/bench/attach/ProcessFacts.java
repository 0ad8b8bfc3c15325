package org.cabrank.bench.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.limits.LimitsReader;

/** Limits of a process: a quota in CPUs, and a soft limit of open files ({@link Long#MAX_VALUE} if unlimited or unknown). */
public record ProcessFacts(double cpuQuota, long descriptors) {
    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files +(\\d{1,18})\\b");

    /** @param process number of the process, or {@code self} */
    public static ProcessFacts of(Path sysfs, Path procfs, String process) {
        return new ProcessFacts(LimitsReader.cpuQuota(sysfs, procfs, process), descriptors(procfs.resolve(process)));
    }

    private static long descriptors(Path process) {
        try {
            Matcher limit = OPEN_FILES.matcher(Files.readString(process.resolve("limits")));
            return limit.find() ? Long.parseLong(limit.group(1)) : Long.MAX_VALUE;
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }
}
