package org.cabrank.lf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last things that have happened to a handle, for a report. Written without a lock, by whoever has the handle to
 * itself: what watches for races must not hide them behind memory fences. Read while the run still goes on, it may show
 * something twice or not at all.
 */
final class History {
    private static final int LENGTH = 16;

    private record Entry(long atNs, String thread, String name, String what) {
        @Override
        public String toString() {
            return String.format("%,d us %s: %s %s", atNs / 1_000, thread, name, what);
        }
    }

    private final long startNs;
    private final String name;
    private final Entry[] entries = new Entry[LENGTH];
    private int count;

    History(String name, long startNs) {
        this.name = name;
        this.startNs = startNs;
    }

    void note(String what) {
        entries[count++ % LENGTH] =
                new Entry(System.nanoTime() - startNs, Thread.currentThread().getName(), name, what);
    }

    /** The last of all, in the order of time. */
    static List<String> last(Stream<History> histories, int limit) {
        List<Entry> all = new ArrayList<>();
        histories.forEach(history -> {
            for (Entry entry : history.entries) {
                if (entry != null) {
                    all.add(entry);
                }
            }
        });
        all.sort(Comparator.comparingLong(Entry::atNs));
        return all.subList(Math.max(0, all.size() - limit), all.size()).stream()
                .map(Entry::toString)
                .toList();
    }
}
