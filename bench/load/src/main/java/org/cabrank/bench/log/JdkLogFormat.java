package org.cabrank.bench.log;

/** Format of the JDK's own loggers, used by libraries that do not log with {@link System.Logger}. */
public final class JdkLogFormat {
    private static final String PROPERTY = "java.util.logging.SimpleFormatter.format";
    private static final String ONE_LINE = "cabrank: %5$s%6$s%n";

    private JdkLogFormat() {}

    /** Sets a format of one line for each message (the JDK's has two), unless the user has set a format. */
    public static void setUnlessGiven() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, ONE_LINE);
        }
    }
}
