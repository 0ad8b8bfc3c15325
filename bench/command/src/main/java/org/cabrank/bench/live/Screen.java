package org.cabrank.bench.live;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The alternate screen of a terminal (ECMA-48, and xterm's private modes 25, 1049 and 2026). Keys come unechoed and one by one
 * while it is shown. Ctrl-C still sends its signal; Ctrl-Z and Ctrl-S do nothing: they would stop the server, or the screen.
 * Any thread.
 */
final class Screen implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Screen.class.getName());

    private static final String ESCAPE = "\u001b[";
    private static final String ENTER = ESCAPE + "?1049h" + ESCAPE + "?25l" + ESCAPE + "2J";
    private static final String LEAVE = ESCAPE + "0m" + ESCAPE + "?25h" + ESCAPE + "?1049l";
    private static final String BEGIN_FRAME = ESCAPE + "?2026h" + ESCAPE + "H";
    private static final String END_FRAME = ESCAPE + "?2026l";
    private static final String CLEAR_LINE = ESCAPE + "0m" + ESCAPE + "K";
    private static final String[] KEYS_ONE_BY_ONE = {"-icanon", "-echo", "-ixon", "min", "1", "susp", "undef"};

    /** The terminal of a slow connection may hold up a frame; it must not hold up the end of the server. */
    private static final int CLOSE_WAIT_MS = 1_000;

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final ReentrantLock lock = new ReentrantLock();
    private final Stty stty;

    /** Argument with which {@code stty} undoes its changes; null: unknown. */
    private final String modes;

    private ScreenSize size = ScreenSize.UNKNOWN;
    private boolean closed;

    private Screen(Stty stty, String modes) {
        this.stty = stty;
        this.modes = modes;
    }

    /** @throws IOException when the terminal does not take what is written to it */
    static Screen open(Path terminal) throws IOException {
        Stty stty = new Stty(terminal);
        Screen screen = new Screen(stty, modes(stty));
        try {
            screen.enter();
        } catch (IOException | RuntimeException refused) {
            screen.close();
            throw refused;
        }
        return screen;
    }

    private static String modes(Stty stty) {
        try {
            return stty.run("-g");
        } catch (IOException unknown) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "keys are not read, and the window's size is not known: " + unknown.getMessage());
            return null;
        }
    }

    /** Takes the terminal over. Also called after the shell has had the terminal, while the process was stopped. */
    void enter() throws IOException {
        lock.lock();
        try {
            if (!closed) {
                if (modes != null) {
                    stty.run(KEYS_ONE_BY_ONE);
                }
                write(ENTER);
                measure();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if the terminal delivers each key at once. */
    boolean readsKeys() {
        return modes != null;
    }

    /** Asks for the window's size anew. */
    void measure() throws IOException {
        ScreenSize now = modes == null ? ScreenSize.UNKNOWN : stty.size();
        lock.lock();
        try {
            size = now;
        } finally {
            lock.unlock();
        }
    }

    ScreenSize size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    /** @param lines as many as the screen has, each no wider */
    void show(List<String> lines) throws IOException {
        StringBuilder frame = new StringBuilder(BEGIN_FRAME);
        for (int row = 0; row < lines.size(); row++) {
            frame.append(row == 0 ? "" : "\r\n").append(lines.get(row)).append(CLEAR_LINE);
        }
        frame.append(END_FRAME);
        lock.lock();
        try {
            if (!closed) {
                write(frame.toString());
            }
        } finally {
            lock.unlock();
        }
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Restores the terminal. A second call has no effect. */
    @Override
    public void close() {
        boolean locked = tryLock();
        try {
            if (!closed) {
                closed = true;
                restore();
            }
        } finally {
            if (locked) {
                lock.unlock();
            }
        }
    }

    private boolean tryLock() {
        try {
            return lock.tryLock(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void restore() {
        try {
            write(LEAVE);
        } catch (IOException gone) {
            LOGGER.log(System.Logger.Level.DEBUG, "the terminal is gone", gone);
        }
        if (modes != null) {
            boolean interrupted = Thread.interrupted(); // stty is to be waited for
            try {
                stty.run(modes);
            } catch (IOException refused) {
                LOGGER.log(System.Logger.Level.DEBUG, "the terminal's modes are not what they were", refused);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
