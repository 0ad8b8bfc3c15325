package org.cabrank.socket.contract;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the log of a class, and keeps it from the terminal, until closed. */
public final class LogCapture extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    public LogCapture(Class<?> owner) {
        logger = Logger.getLogger(owner.getName());
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    public List<String> warnings() {
        return warnings;
    }

    @Override
    public void publish(LogRecord logged) {
        if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
            warnings.add(logged.getMessage());
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
