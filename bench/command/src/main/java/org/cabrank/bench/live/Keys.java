package org.cabrank.bench.live;

import java.io.IOException;
import java.io.InputStream;

/** Reads the keys that are pressed. Nothing can end a read of a terminal, so its thread does not keep the process alive. */
final class Keys {
    private static final System.Logger LOGGER = System.getLogger(Keys.class.getName());

    private final InputStream in;
    private final Runnable quit;

    /** @param quit for {@code q}; runs once */
    Keys(InputStream in, Runnable quit) {
        this.in = in;
        this.quit = quit;
    }

    void start() {
        Thread thread = new Thread(this::read, "cabrank-live-keys");
        thread.setDaemon(true);
        thread.start();
    }

    void read() {
        try {
            for (int key = in.read(); key >= 0; key = in.read()) {
                if (key == 'q' || key == 'Q') {
                    quit.run();
                    return;
                }
            }
        } catch (IOException gone) {
            LOGGER.log(System.Logger.Level.DEBUG, "no more keys", gone);
        }
    }
}
