package org.cabrank.bench.log;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;

/**
 * Prints one line on standard error for each message. The JDK's loggers would print two lines, and would need some 40 ms to start.
 * {@code -Dcabrank.log} sets the lowest level: trace, debug, info (default), warning, error or off.
 */
public final class StderrLoggerFinder extends System.LoggerFinder {
    private static final String PROPERTY = "cabrank.log";

    private final Level threshold = threshold(System.getProperty(PROPERTY, "info"));

    public StderrLoggerFinder() {}

    /** Returns INFO if the name is unknown, so that a service still starts. */
    static Level threshold(String name) {
        try {
            return Level.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            System.err.println("-D" + PROPERTY + "=" + name
                    + ": there is no such level; it is one of trace, debug, info, warning, error, off");
            return Level.INFO;
        }
    }

    @Override
    public Logger getLogger(String name, Module module) {
        boolean ours = name.startsWith("org.cabrank");
        return new StderrLogger(name, ours ? threshold : Level.WARNING, () -> System.err);
    }
}
