package org.cabrank.pinning.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Check of missing kernel features by version. Distributions may have backported a feature to an older version. */
final class KernelCheck {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    /** A feature that Cabrank uses, and the first kernel version that has the feature. */
    private record Feature(int major, int minor, String words) {
        boolean isIn(int kernelMajor, int kernelMinor) {
            return kernelMajor > major || kernelMajor == major && kernelMinor >= minor;
        }

        @Override
        public String toString() {
            return words + " (" + major + "." + minor + ")";
        }
    }

    /** Features whose absence is a warning. */
    private static final Feature RINGS = new Feature(6, 0, "multishot receive on rings, without which epoll serves");

    private static final Feature OWNER_RINGS = new Feature(6, 1, "owner rings (DEFER_TASKRUN)");

    private static final List<Feature> FEATURES = List.of(
            new Feature(4, 5, "listeners that wake one shard (EPOLLEXCLUSIVE) and steering by CPU"),
            new Feature(5, 11, "epoll waits in nanoseconds (epoll_pwait2)"),
            RINGS,
            OWNER_RINGS,
            new Feature(6, 6, "submission without an index array"),
            new Feature(6, 9, "NAPI busy polling on rings and on epoll"),
            new Feature(6, 12, "incremental receive buffers, and waiting for a batch"),
            new Feature(6, 13, "waking a ring without a ring"),
            new Feature(6, 15, "idle rings that do not count as iowait"),
            new Feature(6, 17, "bundles of receive buffers, which left gaps on some kernels before"));

    private KernelCheck() {}

    static Finding look(Check check, CheckContext context) {
        String release = context.topology().machine().kernelRelease();
        Matcher version = VERSION.matcher(release);
        if (!version.matches()) {
            return check.note("its version is not known", "", "look at 'uname -r'");
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        List<Feature> missing =
                FEATURES.stream().filter(feature -> !feature.isIn(major, minor)).toList();
        String linux = "Linux " + release;
        if (missing.isEmpty()) {
            return check.ok(linux + " has everything that Cabrank makes use of");
        }
        String words = String.join("; ", missing.stream().map(Feature::toString).toList());
        boolean grave = missing.contains(RINGS) || missing.contains(OWNER_RINGS);
        return check.finding(
                grave ? Severity.WARNING : Severity.NOTE,
                linux + " has not, by its number: " + words,
                grave
                        ? "io_uring does not serve, or not in its fast mode"
                        : "some of io_uring's savings are not to be had; nothing fails",
                "use Linux 6.13 or later"
                        + (grave
                                ? ", at least 6.1; some distributions' older ones have more than their number says"
                                : ""));
    }
}
