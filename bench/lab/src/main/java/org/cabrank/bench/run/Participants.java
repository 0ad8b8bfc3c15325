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

/** The contenders, including those found unable to run on this machine, and the control. One thread changes it, any reads it. */
final class Participants {

    private final List<Contender> contenders;
    private final Map<String, String> leftOut = new ConcurrentSkipListMap<>();

    private volatile Participant control;

    Participants(List<Contender> contenders) {
        this.contenders = List.copyOf(contenders);
    }

    /** Returns all participants, including the control and those left out. */
    List<Participant> all() {
        Participant again = control;
        return Stream.concat(
                        contenders.stream().map(Participant::of), again == null ? Stream.empty() : Stream.of(again))
                .toList();
    }

    /** Returns all that serve {@code protocol}, rotated so that number {@code first}, counted from 0, is the first. */
    List<Participant> from(int first, Protocol protocol) {
        List<Participant> all =
                all().stream().filter(who -> who.contender().serves(protocol)).toList();
        List<Participant> order = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            order.add(all.get((first + i) % all.size()));
        }
        return order;
    }

    /** Returns the contenders that have not been found unable to run here. */
    List<Contender> present() {
        return contenders.stream()
                .filter(contender -> !leftOut.containsKey(contender.name()))
                .toList();
    }

    /** Returns Netty's epoll if it runs, else the first contender. */
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

    /** Returns null before the baseline has a second run. */
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
