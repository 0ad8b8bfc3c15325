package org.cabrank.bench.attach;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cabrank.bench.attach.BeanValues.Participant;

/** Samples the threads of each pool. Counts samples in which all threads run handlers, and finds handlers that run in several samples. */
final class OccupationSamples {
    interface Stacks {
        Optional<StackTraceElement[]> of(String thread) throws IOException;
    }

    interface Participants {
        Map<String, List<Participant>> read() throws IOException;
    }

    /** Packages of the JDK. Frames of other packages belong to the service. */
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private static final class Running {
        private final long processed;
        private final long sinceNs;
        private long lastNs;
        private String frame = "";

        Running(long processed, long nowNs) {
            this.processed = processed;
            sinceNs = nowNs;
            lastNs = nowNs;
        }
    }

    private static final class Pool {
        private final Map<String, Running> running = new HashMap<>();
        private final List<LongHandler> ended = new ArrayList<>();
        private int samples;
        private int allBusy;

        void end(String thread) {
            Running handler = running.remove(thread);
            if (handler != null && handler.lastNs > handler.sinceNs) {
                ended.add(new LongHandler(thread, handler.lastNs - handler.sinceNs, handler.frame));
            }
        }
    }

    private final Stacks stacks;
    private final Map<String, Pool> pools = new TreeMap<>();

    OccupationSamples(Stacks stacks) {
        this.stacks = stacks;
    }

    /** Takes one sample. Keeps a stack only if a second reading shows that its thread still runs the same handler. */
    void sample(long nowNs, Participants participants) throws IOException {
        Map<String, String> frames = new HashMap<>();
        for (Map.Entry<String, List<Participant>> entry : participants.read().entrySet()) {
            Pool pool = pools.computeIfAbsent(entry.getKey(), name -> new Pool());
            List<Participant> present = entry.getValue();
            pool.samples++;
            if (!present.isEmpty() && present.stream().allMatch(Participant::isProcessing)) {
                pool.allBusy++;
            }
            for (Participant thread : present) {
                note(pool, thread, nowNs, frames);
            }
        }
        if (!frames.isEmpty()) {
            keepFrames(frames, participants.read());
        }
    }

    private void note(Pool pool, Participant thread, long nowNs, Map<String, String> frames) throws IOException {
        Running before = pool.running.get(thread.name());
        boolean same = before != null && thread.isProcessing() && before.processed == thread.processed();
        if (!same) {
            pool.end(thread.name());
            if (thread.isProcessing()) {
                pool.running.put(thread.name(), new Running(thread.processed(), nowNs));
            }
            return;
        }
        before.lastNs = nowNs;
        if (before.frame.isEmpty()) {
            stacks.of(thread.name()).ifPresent(stack -> frames.put(thread.name(), frame(stack)));
        }
    }

    private void keepFrames(Map<String, String> frames, Map<String, List<Participant>> now) {
        now.forEach((name, present) -> {
            Pool pool = pools.get(name);
            for (Participant thread : present) {
                Running handler = pool == null ? null : pool.running.get(thread.name());
                if (handler != null && thread.isProcessing() && thread.processed() == handler.processed) {
                    handler.frame = frames.getOrDefault(thread.name(), handler.frame);
                }
            }
        });
    }

    /** Returns the innermost frame of the service, and the method of the JDK that this frame called. */
    private static String frame(StackTraceElement... stack) {
        for (StackTraceElement frame : stack) {
            if (JDK.stream().noneMatch(frame.getClassName()::startsWith)) {
                String service = frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")";
                return frame == stack[0]
                        ? service
                        : service + " in " + stack[0].getClassName() + "." + stack[0].getMethodName();
            }
        }
        return "";
    }

    List<PoolOccupation> occupations() {
        List<PoolOccupation> all = new ArrayList<>();
        pools.forEach((name, pool) -> {
            for (String thread : List.copyOf(pool.running.keySet())) {
                pool.end(thread);
            }
            pool.ended.sort(Comparator.comparingLong(LongHandler::atLeastNs).reversed());
            all.add(new PoolOccupation(name, pool.samples, pool.allBusy, pool.ended));
        });
        return all;
    }
}
