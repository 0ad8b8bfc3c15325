package org.cabrank.iouring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs, kept from the terminal; until it is closed. */
final class LogCapture extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LogCapture(Class<?> owner) {
        logger = Logger.getLogger(owner.getName());
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord logged) {
        lines.add(logged.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
