package org.cabrank.bench.log;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;

/**
 * Gives the command's process loggers that print to standard error. The JDK's own would bring up java.util.logging, which
 * costs some 40 ms of the start and two lines a message.
 *
 * <p>{@code -Dcabrank.log=debug} (or trace, info, warning, error, off; info unless given) says from which level on.
 */
public final class StderrLoggerFinder extends System.LoggerFinder {
    private static final String PROPERTY = "cabrank.log";

    private final Level threshold = threshold(System.getProperty(PROPERTY, "info"));

    public StderrLoggerFinder() {}

    /** An unknown level must not keep a service from starting: it is reported, and info is used. */
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
        // The JDK's own classes rarely log for users of a command.
        boolean ours = name.startsWith("org.cabrank");
        return new StderrLogger(name, ours ? threshold : Level.WARNING, () -> System.err);
    }
}
