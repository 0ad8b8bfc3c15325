package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.text.Durations;
import org.cabrank.epoll.EpollOptions;
import picocli.CommandLine.Option;

/** Flags for epoll, valid with {@code --backend epoll} only. */
final class EpollOptionsMixin {
    private static final String BUSY_POLL = "--epoll-busy-poll";
    private static final String BUDGET = "--epoll-busy-poll-budget";
    private static final String PREFER = "--epoll-busy-poll-prefer";

    @Option(
            names = BUSY_POLL,
            paramLabel = "TIME",
            description =
                    "Look at the network devices for so long before sleeping, such as 50us (Linux 6.9, default: not"
                            + " at all).")
    private Duration busyPoll;

    @Option(
            names = BUDGET,
            paramLabel = "N",
            description = "Packets that one look takes; more than 64 need CAP_NET_ADMIN (default 8, with"
                    + " --epoll-busy-poll).")
    private Integer budget;

    @Option(
            names = PREFER,
            description =
                    "Keep the devices from raising interrupts meanwhile (prefer_busy_poll; with --epoll-busy-poll).")
    private boolean prefer;

    /** The first of these flags that was given, or null. */
    String firstGiven() {
        if (busyPoll != null) {
            return BUSY_POLL;
        }
        if (budget != null) {
            return BUDGET;
        }
        return prefer ? PREFER : null;
    }

    /** Throws an IllegalArgumentException that names the flags if they are wrong. */
    EpollOptions options() {
        EpollOptions standard = EpollOptions.DEFAULT;
        try {
            return standard.withBusyPoll(busyPoll == null ? standard.busyPoll() : busyPoll)
                    .withBusyPollBudget(budget == null ? standard.busyPollBudget() : budget)
                    .withPreferBusyPoll(prefer);
        } catch (IllegalArgumentException wrong) {
            String named = wrong.getMessage()
                    .replaceFirst("^busyPollBudget", BUDGET)
                    .replaceFirst("^preferBusyPoll", PREFER)
                    .replaceFirst("\\bbusyPoll\\b", BUSY_POLL);
            throw new IllegalArgumentException(Durations.replaceIso(named), wrong);
        }
    }
}
