package org.cabrank.socket.contract;

import java.io.IOException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Warnings that the reactor logs during a soak: those of failures that the test causes are dropped, all other warnings are errors. */
final class SoakLog extends Handler implements AutoCloseable {
    /** In the message of whatever the test throws itself. */
    static final String ON_PURPOSE = "thrown on purpose";

    private final SoakLedger ledger;
    private final Logger logger = Logger.getLogger("org.cabrank");

    SoakLog(SoakLedger ledger) {
        this.ledger = ledger;
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    /** True for the end of a connection without a failure, by its peer's reset, or by a failure of the test's own. */
    static boolean isExpected(Throwable cause) {
        return cause == null
                || cause instanceof StackOverflowError
                || ON_PURPOSE.equals(cause.getMessage())
                || cause instanceof IOException && isReset(cause.getMessage());
    }

    private static boolean isReset(String message) {
        return message.contains("ECONNRESET") || message.contains("EPIPE");
    }

    @Override
    public void publish(LogRecord logged) {
        boolean warning = logged.getLevel().intValue() >= Level.WARNING.intValue();
        if (warning && (logged.getThrown() == null || !isExpected(logged.getThrown()))) {
            ledger.error("logged: " + logged.getMessage() + " " + logged.getThrown());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
