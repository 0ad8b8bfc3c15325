package org.cabrank.bench.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.serve.EndSignals;
import org.cabrank.bench.text.StandardStream;

/** A dashboard on the terminal. */
final class ScreenDisplay implements LiveDisplay {
    private static final System.Logger LOGGER = System.getLogger(ScreenDisplay.class.getName());
    private static final int LOG_LINES_MAX = 10;

    private final Dashboard dashboard;
    private final TerminalPalette palette;
    private final Screen screen;

    /** Null: standard error is not the same terminal. */
    private final CapturedErrors errors;

    private LiveFigures latest;

    private ScreenDisplay(Dashboard dashboard, TerminalPalette palette, Screen screen, CapturedErrors errors) {
        this.dashboard = dashboard;
        this.palette = palette;
        this.screen = screen;
        this.errors = errors;
    }

    /**
     * @param terminal standard output
     * @param quit runs once on a thread of its own when the user asks for the end
     */
    static ScreenDisplay open(Path terminal, Dashboard dashboard, TerminalPalette palette, Runnable quit)
            throws IOException {
        Screen screen = Screen.open(terminal);
        boolean sameTerminal =
                StandardStream.ERROR.terminal().filter(terminal::equals).isPresent();
        ScreenDisplay display =
                new ScreenDisplay(dashboard, palette, screen, sameTerminal ? CapturedErrors.begin() : null);
        Runtime.getRuntime().addShutdownHook(new Thread(display::close, "cabrank-live-close"));
        EndSignals.on("WINCH", () -> display.again(screen::measure));
        EndSignals.on("CONT", () -> display.again(screen::enter));
        if (screen.readsKeys()
                && StandardStream.INPUT.terminal().filter(terminal::equals).isPresent()) {
            new Keys(System.in, quit).start();
        }
        return display;
    }

    private interface Change {
        void make() throws IOException;
    }

    private void again(Change change) {
        try {
            change.make();
            redraw();
        } catch (IOException gone) {
            LOGGER.log(System.Logger.Level.DEBUG, "the terminal does not take it", gone); // the next frame finds out
        }
    }

    @Override
    public void show(LiveFigures figures) throws IOException {
        synchronized (this) {
            latest = figures;
        }
        redraw();
    }

    private synchronized void redraw() throws IOException {
        if (latest != null) {
            List<String> said = errors == null ? List.of() : errors.latest(LOG_LINES_MAX);
            screen.show(dashboard.draw(latest, said, screen.size(), palette));
        }
    }

    @Override
    public void close() {
        screen.close();
        if (errors != null) {
            errors.close();
        }
    }
}
