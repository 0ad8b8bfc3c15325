package org.cabrank.bench.attach;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.attach.ServerFindings.Growth;
import org.cabrank.lf.observe.Imbalance;
import org.cabrank.pinning.doctor.Check;
import org.cabrank.pinning.doctor.Finding;

final class ReactorFindings {
    /** Minimum ratio of the busiest shard's events to the mean, for a finding. */
    private static final double UNEVEN = 1.5;

    /** With fewer events, the balance of the shards is not checked. */
    private static final long EVENTS_MIN = 1_000;

    /** Minimum used share of a limit for a finding. */
    private static final double NEAR = 0.8;

    private ReactorFindings() {}

    static Finding failure(Observation observation) {
        Check check = new Check("reactor", "reactor");
        List<String> failed = observation.after().reactors().stream()
                .map(reactor -> reactor.textOrNull("Failure"))
                .filter(failure -> failure != null)
                .toList();
        return failed.isEmpty()
                ? check.ok("has not failed")
                : check.problem(
                        "has failed: " + String.join("; ", failed),
                        "its connections are reset and its listeners closed",
                        "restart the server, and see its log if the failure returns");
    }

    static Finding balance(Observation observation) {
        Check check = new Check("balance", "balance");
        List<BeanValues> shards = observation.after().shards();
        long[] events = new long[shards.size()];
        long all = 0;
        for (int i = 0; i < events.length; i++) {
            BeanValues after = shards.get(i);
            long before = ServerBeans.find(observation.before().shards(), after.name())
                    .orElse(after)
                    .number("Detected");
            events[i] = after.number("Detected") - before;
            all += events[i];
        }
        if (events.length < 2) {
            return check.ok("there is one shard");
        }
        if (all < EVENTS_MIN) {
            return check.ok("only " + all + " events, too few to compare shards by");
        }
        Imbalance found = Imbalance.of(events);
        String words = String.format(
                Locale.ROOT,
                "the busiest of %d shards has %.1f times the mean number of events (%s)",
                events.length,
                found.ratio(),
                shards.get(found.most()).name().replaceFirst(".*(shard=\\d+).*", "$1"));
        return found.ratio() < UNEVEN
                ? check.ok(words)
                : check.warning(
                        words,
                        "its threads are busy while those of other shards wait",
                        "--accept dispatch gives connections to the shard with the fewest; StreamReactor.rebalance moves those"
                                + " that stand; --set serve.sharedThreads lets all threads serve all shards");
    }

    static Finding memory(Observation observation) {
        List<String> near = new ArrayList<>();
        for (BeanValues shard : observation.after().shards()) {
            addIfNear(near, shard.name(), shard.number("MemoryUsedBytes"), shard.number("MemoryLimitBytes"));
        }
        Growth refusals = ServerFindings.growth(observation, ServerBeans::shards, "MemoryRefusals");
        return bounded(
                new Check("memory", "memory"),
                "refusals of memory for unread and queued bytes",
                near,
                refusals,
                "reading slows down, and connections that hold most are closed",
                "find the peers that do not read; more memory (-XX:MaxDirectMemorySize, shardMemory), or fewer connections"
                        + " (--max-connections)");
    }

    static Finding outbound(Observation observation) {
        return ofReactor(
                observation,
                new Check("outbound", "queued bytes"),
                "writes refused by the limit of queued bytes",
                new String[] {"OutboundBytes", "OutboundLimitBytes", "OutboundRefusals"},
                "write throws, and reading pauses on connections with queued bytes",
                "find the peers that do not read, or raise StreamLimits.outboundMax");
    }

    static Finding unread(Observation observation) {
        return ofReactor(
                observation,
                new Check("unread", "unread bytes"),
                "refusals by the limit of unread bytes",
                new String[] {"UnreadBytes", "UnreadLimitBytes", "UnreadRefusals"},
                "less is read at once, and connections that need more than their share are closed",
                "have handlers consume sooner, or raise StreamLimits.unreadMax");
    }

    /** @param attributes names of three attributes: the use, the limit and the number of refusals; a limit of 0 means no limit */
    private static Finding ofReactor(
            Observation observation, Check check, String what, String[] attributes, String effect, String remedy) {
        List<String> near = new ArrayList<>();
        for (BeanValues reactor : observation.after().reactors()) {
            addIfNear(near, reactor.name(), reactor.number(attributes[0]), reactor.number(attributes[1]));
        }
        Growth refusals = ServerFindings.growth(observation, ServerBeans::reactors, attributes[2]);
        return bounded(check, what, near, refusals, effect, remedy);
    }

    private static void addIfNear(List<String> near, String name, long used, long limit) {
        if (limit > 0 && used >= NEAR * limit) {
            near.add(String.format(
                    Locale.ROOT,
                    "%s uses %.0f %% of its bound",
                    name.replaceFirst("org.cabrank:type=(\\w+),", "$1 "),
                    100.0 * used / limit));
        }
    }

    private static Finding bounded(
            Check check, String what, List<String> near, Growth refusals, String effect, String remedy) {
        Finding counted = ServerFindings.counted(check, what, refusals, effect, remedy);
        if (near.isEmpty()) {
            return counted;
        }
        String words = String.join("; ", near) + "; " + counted.finding();
        return check.warning(words, effect, remedy);
    }

    static Finding accepts(Observation observation) {
        return ServerFindings.counted(
                new Check("accepts", "accepting"),
                "accepts failed or closed unserved",
                ServerFindings.growth(observation, ServerBeans::shards, "AcceptFailures", "Refused"),
                "accepting pauses after each failure, mostly because descriptors are used up, and connections wait in the"
                        + " backlog",
                "more descriptors (ulimit -n, LimitNOFILE), or a limit of connections below them (--max-connections)");
    }

    static Finding pausedListeners(Observation observation) {
        Check check = new Check("listeners", "listeners");
        List<String> paused = new ArrayList<>();
        int open = 0;
        for (BeanValues reactor : observation.after().reactors()) {
            paused.addAll(reactor.texts("PausedListeners"));
            open += reactor.texts("Listeners").size();
        }
        return paused.isEmpty()
                ? check.ok(open == 1 ? "1 accepts connections" : open + " accept connections")
                : check.warning(
                        "paused by the service: " + String.join(", ", paused),
                        "connections to these addresses wait in the backlog of the kernel, and clients time out when it is full",
                        "call Listener.resume when the service can serve again, or Listener.close to refuse connections");
    }

    static Finding connectionLimit(Observation observation) {
        List<String> near = new ArrayList<>();
        for (BeanValues reactor : observation.after().reactors()) {
            addIfNear(near, reactor.name(), reactor.number("Connections"), connectionsMax(reactor));
        }
        Growth over = ServerFindings.growth(observation, ServerBeans::reactors, "OverLimit");
        return bounded(
                new Check("connections", "connections"),
                "connections reset because of a limit",
                near,
                over,
                "these clients are not served",
                "raise --max-connections or --set serve.connectionsPerPeerMax, close idle connections (--idle-timeout), or find the"
                        + " clients that keep so many");
    }

    /** Returns the lower of the limits of the reactor and of its listeners. Returns 0 if there is no limit. */
    private static long connectionsMax(BeanValues reactor) {
        long own = reactor.number("ConnectionsLimit");
        long ofListeners = reactor.number("ListenersConnectionsLimit");
        return own == 0 || ofListeners == 0 ? Math.max(own, ofListeners) : Math.min(own, ofListeners);
    }

    static Finding acceptRate(Observation observation) {
        return ServerFindings.counted(
                new Check("accept-rate", "accept rate"),
                "pauses of accepting for the accept rate",
                ServerFindings.growth(observation, ServerBeans::shards, "AcceptRatePauses"),
                "connections wait in the backlog of the kernel",
                "raise --set serve.acceptRate if these clients are welcome");
    }
}
