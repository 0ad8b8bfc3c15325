package org.cabrank.bench.cli;

import java.io.FileInputStream;
import java.io.IOException;

/** A JVM without a free descriptor can open no jar or file, and throws errors such as NoClassDefFoundError, which do not name the cause. */
public final class DescriptorShortage {
    /** A constant, because the JVM may be unable to load anything more. */
    public static final String MESSAGE =
            "the JVM cannot open its own files: this process has too many open descriptors (EMFILE);"
                    + " raise the limit (ulimit -n 1024, in a container --ulimit nofile=1024, under systemd LimitNOFILE=1024)";

    private static final String TOO_MANY = "Too many open files";
    private static final int CAUSES_MAX = 16;

    private DescriptorShortage() {}

    /** Loads this class while the process still can. */
    public static void prepare() {
        // only called to load the class
    }

    /** Returns true if {@code failure} reports the shortage, or if this process can open no file now. */
    public static boolean explains(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < CAUSES_MAX; i++) {
            if (isDescriptorShortage(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        try {
            new FileInputStream("/dev/null").close();
            return false;
        } catch (IOException refused) {
            return isDescriptorShortage(refused);
        }
    }

    private static boolean isDescriptorShortage(Throwable cause) {
        return cause.getMessage() != null && cause.getMessage().contains(TOO_MANY);
    }
}
