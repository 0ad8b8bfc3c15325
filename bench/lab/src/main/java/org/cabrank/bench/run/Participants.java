package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.Protocol;

/** The contenders and the control. Some contenders cannot run on this machine. One thread changes the object. Any thread may read it. */
final class Participants {

    private final List<Contender> contenders;
    private final Map<String, String> leftOut = new ConcurrentSkipListMap<>();

    private volatile Participant control;

    Participants(List<Contender> contenders) {
        this.contenders = List.copyOf(contenders);
    }

    /** Includes the control and the contenders that cannot run. */
    List<Participant> all() {
        Participant again = control;
        return Stream.concat(
                        contenders.stream().map(Participant::of), again == null ? Stream.empty() : Stream.of(again))
                .toList();
    }

    /** Returns the participants that serve {@code protocol}. The list is rotated to begin with number {@code first}. */
    List<Participant> from(int first, Protocol protocol) {
        List<Participant> all =
                all().stream().filter(who -> who.contender().serves(protocol)).toList();
        List<Participant> order = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            order.add(all.get((first + i) % all.size()));
        }
        return order;
    }

    List<Contender> present() {
        return contenders.stream()
                .filter(contender -> !leftOut.containsKey(contender.name()))
                .toList();
    }

    /** Returns Netty over epoll, or the first contender that can run. */
    Contender baseline() {
        List<Contender> present = present();
        return present.stream()
                .filter(contender -> contender.name().equals(Contenders.BASELINE))
                .findFirst()
                .orElseGet(() -> present.get(0));
    }

    Participant control() {
        Participant again = Participant.again(baseline());
        control = again;
        return again;
    }

    /** Returns null until the second run of the baseline was started. */
    String controlName() {
        Participant again = control;
        return again == null ? null : again.name();
    }

    void leaveOut(Participant who, String why) {
        leftOut.put(who.name(), why);
    }

    boolean runs(Participant who) {
        return !leftOut.containsKey(who.name());
    }

    Map<String, String> leftOut() {
        return new TreeMap<>(leftOut);
    }
}
