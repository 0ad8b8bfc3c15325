package org.cabrank.bench.log;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger;
import java.text.MessageFormat;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.function.Supplier;

final class StderrLogger implements Logger {
    private static final int MILLIS_WIDTH = 12;

    private final String name;
    private final Level threshold;
    private final Supplier<PrintStream> out;

    /** @param out queried at each message, because standard error may be replaced */
    StderrLogger(String name, Level threshold, Supplier<PrintStream> out) {
        this.name = name;
        this.threshold = threshold;
        this.out = out;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return threshold != Level.OFF && level != Level.OFF && level.compareTo(threshold) >= 0;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        if (isLoggable(level)) {
            print(level, message, thrown);
        }
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        if (isLoggable(level)) {
            boolean plain = parameters == null || parameters.length == 0;
            print(level, plain ? format : new MessageFormat(format, Locale.ROOT).format(parameters), null);
        }
    }

    /** Writes each message in one call, so that the lines of several threads do not mix. */
    private void print(Level level, String message, Throwable thrown) {
        StringWriter text = new StringWriter();
        text.append(time()).append(' ').append(level.getName()).append(' ');
        text.append(name.substring(name.lastIndexOf('.') + 1)).append(": ").append(message);
        text.append(System.lineSeparator());
        if (thrown != null) {
            thrown.printStackTrace(new PrintWriter(text, true));
        }
        PrintStream now = out.get();
        now.print(text);
        now.flush();
    }

    private static String time() {
        String time = LocalTime.now().truncatedTo(ChronoUnit.MILLIS).toString();
        String full = time.length() == "00:00".length() ? time + ":00" : time;
        return full.length() == MILLIS_WIDTH ? full : full + ".000";
    }
}
