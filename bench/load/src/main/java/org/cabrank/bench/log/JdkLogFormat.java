package org.cabrank.bench.log;

/** Format of the messages that libraries log with java.util.logging instead of {@link System.Logger}. */
public final class JdkLogFormat {
    private static final String PROPERTY = "java.util.logging.SimpleFormatter.format";
    private static final String ONE_LINE = "cabrank: %5$s%6$s%n";

    private JdkLogFormat() {}

    /** Makes each message one line, unless the user has set a format. The JDK's default has two lines. */
    public static void setUnlessGiven() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, ONE_LINE);
        }
    }
}
