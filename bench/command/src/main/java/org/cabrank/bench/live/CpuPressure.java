package org.cabrank.bench.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pressure stall information of the CPUs (Linux 4.20, Documentation/accounting/psi.rst). */
final class CpuPressure {
    private static final Path FILE = Path.of("/proc/pressure/cpu");
    private static final Pattern TOTAL = Pattern.compile("^some .* total=(\\d+)$", Pattern.MULTILINE);

    private CpuPressure() {}

    /** Returns the time in ns, since the start of the machine, in which a runnable thread had no CPU. Returns 0 if it is unknown. */
    static long waitNs() {
        try {
            return waitNs(Files.readString(FILE));
        } catch (IOException absent) { // an older kernel, or one without CONFIG_PSI
            return 0;
        }
    }

    static long waitNs(String text) {
        Matcher total = TOTAL.matcher(text);
        return total.find() ? TimeUnit.MICROSECONDS.toNanos(Long.parseLong(total.group(1))) : 0;
    }
}
