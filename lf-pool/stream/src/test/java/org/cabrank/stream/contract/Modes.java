package org.cabrank.stream.contract;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.cabrank.stream.AcceptMode;

/**
 * Variants of the tested subject that this run takes: those whose names match a regular expression, and all if it is
 * not set. Where none does, JUnit lets the class fail, so no expression leaves a contract out.
 */
public final class Modes {
    private static final String ALL = ".*";

    private Modes() {}

    /** Returns true in a soak, which takes all modes: {@code cabrank.soak.seconds} is set. */
    public static boolean isSoak() {
        return Long.getLong("cabrank.soak.seconds") != null;
    }

    /** Time that a stress test spends in each mode: {@code cabrank.stress.seconds}, or a second in a soak and less elsewhere. */
    public static Duration stressTime() {
        Long seconds = Long.getLong("cabrank.stress.seconds");
        return seconds == null ? Duration.ofMillis(isSoak() ? 1_000 : 300) : Duration.ofSeconds(seconds);
    }

    /** As {@link #stressTime()}; {@code cabrank.soak.seconds}, where it is set, is shared by so many modes. */
    public static Duration stressTime(int modeCount) {
        Long soak = Long.getLong("cabrank.soak.seconds");
        return soak == null ? stressTime() : Duration.ofSeconds(soak).dividedBy(modeCount);
    }

    /** Of the ways to build a reactor, those that {@code cabrank.modes} names. */
    public static Stream<ReactorMode> reactors(Stream<ReactorMode> modes) {
        return matching(System.getProperty("cabrank.modes", ALL), modes);
    }

    /** Of the ways to build a handle set, those that {@code cabrank.sets} names. */
    public static <M> Stream<M> sets(Stream<M> modes) {
        return matching(System.getProperty("cabrank.sets", ALL), modes);
    }

    /** Of all ways to build a reactor, one for each regular expression that names it, in their order. In a soak all. */
    public static Stream<ReactorMode> named(Stream<ReactorMode> all, String... names) {
        if (isSoak()) {
            return all;
        }
        List<ReactorMode> modes = all.toList();
        return Stream.of(names)
                .map(name -> modes.stream()
                        .filter(mode -> mode.toString().matches(name))
                        .findFirst()
                        .orElseThrow());
    }

    /**
     * Of two shards that share an address, those in which the kernel or the reactor does something else: a socket for each shard, chosen by
     * the CPU, connections that are handed over by their hash, and several threads at one socket. In a soak all.
     */
    public static Stream<ReactorMode> sharing(Stream<ReactorMode> accepting) {
        Set<AcceptMode> ofOneThread = EnumSet.of(AcceptMode.REUSEPORT_CPU, AcceptMode.DISPATCH_HASH);
        return accepting.filter(mode -> isSoak()
                || (mode.threads() == 1 ? ofOneThread.contains(mode.accept()) : mode.accept() == AcceptMode.EXCLUSIVE));
    }

    /** Of two shards that share an address, those with one thread and a socket for each shard. In a soak all. */
    public static Stream<ReactorMode> listening(Stream<ReactorMode> accepting) {
        return accepting.filter(mode -> isSoak() || mode.threads() == 1 && mode.accept() == AcceptMode.REUSEPORT);
    }

    private static <M> Stream<M> matching(String pattern, Stream<M> modes) {
        return modes.filter(mode -> mode.toString().matches(pattern));
    }
}
