package org.cabrank.bench.live;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Keeps what is said on standard error while a screen is shown on the same terminal, and says it afterwards. Any thread. */
final class CapturedErrors implements AutoCloseable {
    /** Named bound: the latest are kept. */
    static final int LINES_MAX = 1_000;

    private final PrintStream real;
    private final Deque<String> lines = new ArrayDeque<>();
    private long dropped;
    private boolean closed;

    private CapturedErrors(PrintStream real) {
        this.real = real;
    }

    /** From now on. */
    static CapturedErrors begin() {
        CapturedErrors captured = new CapturedErrors(System.err);
        System.setErr(new PrintStream(captured.new Lines(), true, StandardCharsets.UTF_8));
        return captured;
    }

    /** Lines captured so far, at most {@code count}, the latest last. */
    synchronized List<String> latest(int count) {
        List<String> all = new ArrayList<>(lines);
        return all.subList(Math.max(0, all.size() - count), all.size());
    }

    private synchronized void add(String line) {
        if (closed) {
            real.println(line); // of somebody who has held on to the stream
            return;
        }
        if (lines.size() == LINES_MAX) {
            lines.removeFirst();
            dropped++;
        }
        lines.addLast(line);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        System.setErr(real);
        if (dropped > 0) {
            real.println(dropped + " earlier lines were dropped while the screen was shown");
        }
        lines.forEach(real::println);
        real.flush();
    }

    private final class Lines extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int character) {
            if (character == '\n') {
                add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(character);
            }
        }
    }
}
