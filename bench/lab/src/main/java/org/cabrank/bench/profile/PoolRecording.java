package org.cabrank.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.cabrank.bench.profile.PoolTrace.Change;
import org.cabrank.bench.profile.PoolTrace.Handling;
import org.cabrank.bench.profile.PoolTrace.Harvest;

/**
 * A flight recording of Cabrank's pools: each wait, each call of a handler, and each change of leadership. Answers the bench in a
 * contender's process, which speaks in lines: {@code start} and {@code stop FILE}; the bench reads the file. One thread.
 */
public final class PoolRecording {

    /** Command that starts the recording. */
    public static final String START = "start";

    private static final String STOP = "stop ";
    private static final String HARVEST = "org.cabrank.Harvest";
    private static final String HANDLER = "org.cabrank.SlowHandler";
    private static final String TAKEOVER = "org.cabrank.Takeover";
    private static final String PROMOTION = "org.cabrank.Promotion";
    private static final String EAGER_PROMOTION = "org.cabrank.EagerPromotion";

    private Recording recording;

    /** Command that ends the recording and writes it to {@code file}. */
    public static String stop(Path file) {
        return STOP + file;
    }

    /** Does what {@code command} says. Returns {@link CpuProfiler#DONE}, or {@link CpuProfiler#REFUSED} with the reason. */
    public String obey(String command) {
        try {
            if (command.equals(START)) {
                start();
                return CpuProfiler.DONE;
            }
            if (command.startsWith(STOP) && recording != null) {
                try (Recording ended = recording) {
                    recording = null;
                    ended.stop();
                    ended.dump(Path.of(command.substring(STOP.length())));
                }
                return CpuProfiler.DONE;
            }
            return CpuProfiler.REFUSED + "unknown command of the bench: " + command;
        } catch (NoClassDefFoundError absent) {
            return CpuProfiler.REFUSED + "this runtime image has no module jdk.jfr; use a whole JDK";
        } catch (IllegalStateException | SecurityException | IOException refused) {
            return CpuProfiler.REFUSED + "the flight recorder: " + refused.getMessage() + "; bench without --profile";
        }
    }

    private void start() {
        Recording started = new Recording();
        for (String event : List.of(HARVEST, TAKEOVER, PROMOTION, EAGER_PROMOTION)) {
            started.enable(event).withoutStackTrace();
        }
        started.enable(HANDLER).withThreshold(Duration.ZERO);
        started.start();
        recording = started;
    }

    /** Returns the traces in {@code file}, one for each handle set. */
    static List<PoolTrace> read(Path file) throws IOException {
        Map<String, PoolTrace> traces = new LinkedHashMap<>();
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().startsWith("org.cabrank.")) {
                    add(event, traces);
                }
            }
        }
        for (PoolTrace trace : traces.values()) {
            trace.harvests().sort(Comparator.comparingLong(Harvest::endNs));
            trace.handlings().sort(Comparator.comparingLong(Handling::startNs));
            trace.changes().sort(Comparator.comparingLong(Change::atNs));
        }
        return List.copyOf(traces.values());
    }

    private static void add(RecordedEvent event, Map<String, PoolTrace> traces) {
        int set = event.getInt("handleSet");
        String shard = event.getString("pool") + (set == 0 ? "" : ", handle set " + set);
        PoolTrace trace = traces.computeIfAbsent(shard, PoolTrace::new);
        String thread = name(event.getThread());
        long startNs = ns(event.getStartTime());
        switch (event.getEventType().getName()) {
            case HARVEST ->
                trace.harvests().add(new Harvest(thread, startNs, ns(event.getEndTime()), event.getInt("events")));
            case HANDLER ->
                trace.handlings()
                        .add(new Handling(
                                thread,
                                startNs,
                                ns(event.getEndTime()),
                                event.getString("handle"),
                                event.getLong("waitedNs")));
            case TAKEOVER ->
                trace.changes()
                        .add(new Change(
                                startNs, name(event.getThread("deposed")), name(event.getThread("promoted")), true));
            case PROMOTION, EAGER_PROMOTION ->
                trace.changes().add(new Change(startNs, thread, name(event.getThread("promoted")), false));
            default -> {
                // A detection gap, which its takeover tells as well.
            }
        }
    }

    private static String name(RecordedThread thread) {
        return thread == null ? null : thread.getJavaName();
    }

    private static long ns(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }
}
