package org.cabrank.bench.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;

/** A way for threads to share the requests of a set of connections. */
public enum Strategy {
    /** Leader/Followers, promotion only when a handler takes long. */
    DEFERRED("cabrank-epoll-deferred"),

    /** Leader/Followers as in POSA2, last come first promoted. */
    EAGER("cabrank-epoll-eager"),

    /** Leader/Followers as in POSA2, whoever has waited longest promoted. */
    FAIR("cabrank-epoll-fair"),

    /** Half-Sync/Half-Reactive: as many workers as there are threads, and one I/O thread besides. */
    HSHR("hshr-epoll");

    /** Strategy that the other strategies are compared with. */
    public static final Strategy REFERENCE = HSHR;

    private final String contender;

    Strategy(String contender) {
        this.contender = contender;
    }

    public Contender contender() {
        return Contenders.named(contender);
    }

    /** As the command line and the table write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** With one thread there is nobody to promote: then all but {@link #HSHR} are the same plain reactor. */
    boolean differsWithOneThread() {
        return this == HSHR;
    }

    /**
     * The strategies of these names, in the table's order.
     *
     * @throws IllegalArgumentException naming the one that does not exist and those that do
     */
    public static List<Strategy> named(List<String> names) {
        List<String> known = Arrays.stream(values()).map(Strategy::label).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no strategy '" + name + "': there are " + String.join(", ", known));
            }
        }
        return Arrays.stream(values())
                .filter(strategy -> names.contains(strategy.label()))
                .toList();
    }
}
