package org.cabrank.stream.contract;

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

    /** Of the ways to build a reactor, those that {@code cabrank.modes} names. */
    public static Stream<ReactorMode> reactors(Stream<ReactorMode> modes) {
        return matching(System.getProperty("cabrank.modes", ALL), modes);
    }

    /** Of the ways to build a handle set, those that {@code cabrank.sets} names. */
    public static <M> Stream<M> sets(Stream<M> modes) {
        return matching(System.getProperty("cabrank.sets", ALL), modes);
    }

    /**
     * Of two shards that share an address, those whose listeners differ: one socket for both, a socket for each, and connections that are
     * handed over. In a soak all.
     */
    public static Stream<ReactorMode> listening(Stream<ReactorMode> accepting) {
        return accepting.filter(mode -> isSoak()
                || (mode.threads() == 1
                        ? mode.accept() == AcceptMode.EXCLUSIVE || mode.accept() == AcceptMode.REUSEPORT
                        : mode.accept() == AcceptMode.DISPATCH));
    }

    private static <M> Stream<M> matching(String pattern, Stream<M> modes) {
        return modes.filter(mode -> mode.toString().matches(pattern));
    }
}
