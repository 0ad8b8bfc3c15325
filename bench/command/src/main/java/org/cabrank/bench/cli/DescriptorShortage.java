package org.cabrank.bench.cli;

import java.io.FileInputStream;
import java.io.IOException;

/** Detects that the JVM has no free descriptor. It then cannot open a jar, and throws errors such as NoClassDefFoundError. */
public final class DescriptorShortage {
    /** A compile-time constant, because the JVM may not be able to load a class that would build the text. */
    public static final String MESSAGE =
            "the JVM cannot open its own files: this process has too many open descriptors (EMFILE);"
                    + " raise the limit (ulimit -n 1024, in a container --ulimit nofile=1024, under systemd LimitNOFILE=1024)";

    private static final String TOO_MANY = "Too many open files";
    private static final int CAUSES_MAX = 16;

    private DescriptorShortage() {}

    /** Loads this class early, because no class can be loaded when descriptors have run out. */
    public static void prepare() {
        // only called to load the class
    }

    /** Returns true if {@code failure} or one of its causes reports the shortage, or if this process cannot open a file now. */
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
