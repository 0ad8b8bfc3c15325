package org.cabrank.stream.figures;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Predicate;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.figures.Figures;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.ReactorUse;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.StreamCounters;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.transport.StreamCount;
import org.cabrank.stream.transport.StreamShard;

/** Attributes of the JMX beans of reactors and shards ({@link StreamReactor.Builder#jmx}), and the meters for the same values. */
public final class ReactorFigures {
    private static final Figures<ReactorUse> USE = new Figures<ReactorUse>("cabrank.")
            .gauge("Connections", "connections.active", "Connections that stand", ReactorUse::connections)
            .state("ConnectionsLimit", int.class, "0: no limit; likewise other limits", ReactorUse::connectionsMax)
            .gauge(
                    "OutboundBytes",
                    "outbound.used",
                    "Memory of queued bytes of all connections",
                    ReactorUse::outboundBytes)
            .gauge("OutboundLimitBytes", "Limit of that memory", ReactorUse::outboundMax)
            .counter(
                    "OutboundRefusals",
                    "outbound.refusals",
                    "Writes that were refused because of the outbound limit of the reactor",
                    ReactorUse::writesRefused)
            .gauge("UnreadBytes", "unread.used", "Memory of unread bytes of all connections", ReactorUse::unreadBytes)
            .gauge("UnreadLimitBytes", "Limit of that memory", ReactorUse::unreadMax)
            .counter(
                    "UnreadRefusals",
                    "unread.refusals",
                    "Chunks that were refused because of the unread limit of the reactor",
                    ReactorUse::unreadRefused);

    private static final Figures<StreamCounters> OUTCOMES = new Figures<StreamCounters>("cabrank.")
            .counter("Opened", "connections.opened", "Connections that have stood", StreamCounters::opened)
            .counter("Closed", "connections.closed", "Connections that have ended", StreamCounters::closed)
            .counter(
                    "OverLimit",
                    "connections.over.limit",
                    "Connections that were reset at once because of a limit",
                    StreamCounters::overLimit)
            .counter(
                    "AcceptRatePauses",
                    "accept.rate.pauses",
                    "Pauses of listeners because of their accept rate",
                    StreamCounters::ratePauses)
            .counter(
                    "ReadingPauses",
                    "reading.pauses",
                    "Times that reading of a connection has paused because its peer did not read",
                    StreamCounters::readingPauses)
            .counter(
                    "DescriptorsDropped",
                    "descriptors.dropped",
                    "Received descriptors that no handler has taken",
                    StreamCounters::descriptorsDropped)
            .counter(
                    "ConnectsTimedOut",
                    "connects.timed.out",
                    "Connects that took longer than their time-out",
                    StreamCounters::connectsTimedOut);

    public static final Figures<StreamReactor> REACTOR = new Figures<StreamReactor>("cabrank.")
            .state(
                    "Backend",
                    String.class,
                    "Backend, with what the kernel offers it",
                    StreamReactor::backendDescription)
            .flag("Failed", "reactor.failed", "1 after the reactor has failed, else 0", ReactorFigures::hasFailed)
            .state("Failure", String.class, "Failure that ended the reactor", ReactorFigures::failure)
            .state("FailedShard", int.class, "Shard that has failed; -1: none, or unknown", ReactorFigures::failedShard)
            .state("Listeners", String[].class, "Open listeners", reactor -> addresses(reactor, any -> true))
            .state(
                    "PausedListeners",
                    String[].class,
                    "Those that the service has paused",
                    reactor -> addresses(reactor, Listener::isPaused))
            .part(StreamReactor::use, USE)
            .state(
                    "ListenersConnectionsLimit",
                    long.class,
                    "Connections that the listeners may have; 0: no limit",
                    ReactorFigures::connectionsOfListeners)
            .part(StreamReactor::counters, OUTCOMES);

    private static final Figures<ShardCounters> MEMORY = new Figures<ShardCounters>("cabrank.shard.memory.")
            .gauge("MemoryUsedBytes", "used", "Memory for unread and queued bytes", ShardCounters::memoryUsedBytes)
            .gauge("MemoryLimitBytes", "limit", "Bound of that memory", ShardCounters::memoryLimitBytes)
            .counter(
                    "MemoryRefusals",
                    "refusals",
                    "Chunks that were refused because of the bound",
                    ShardCounters::memoryRefusals);

    public static final Figures<ShardCounters> SHARD_COUNTERS = new Figures<ShardCounters>("cabrank.shard.")
            .gauge("Connections", "connections", "Connections that the shard serves", ShardCounters::connections)
            .counter("Opened", "Connections that have been opened in it", ShardCounters::opened)
            .counter("Closed", "Connections that have ended in it", ShardCounters::closed)
            .counter("MovedIn", "moved.in", "Connections moved to the shard", ShardCounters::movedIn)
            .counter("MovedOut", "moved.out", "Connections moved away", ShardCounters::movedOut)
            .counter("PassedBy", "Its connections that another shard serves", ShardCounters::passedBy)
            .counter("Detected", "events.detected", "Events that the kernel has reported", ShardCounters::detected)
            .counter("ReceivedBytes", "received", "Bytes received", ShardCounters::receivedBytes)
            .counter("SentBytes", "sent", "Bytes that the kernel has taken", ShardCounters::sentBytes)
            .counter("AcceptFailures", "accept.failures", "Accepts that have failed", ShardCounters::acceptFailures)
            .counter("Refused", "refused", "Connections that were accepted and closed unserved", ShardCounters::refused)
            .part(counters -> counters, MEMORY);

    public static final Figures<StreamShard> SHARD = new Figures<StreamShard>("")
            .part(shard -> shard.context().counters(), SHARD_COUNTERS)
            .counter(
                    "ClosedIdle",
                    "Connections that were idle for too long",
                    shard -> shard.context().sum(StreamCount.IDLE))
            .counter(
                    "ClosedAtDeadline",
                    "Connections whose deadline has passed",
                    shard -> shard.context().sum(StreamCount.DEADLINE_PASSED))
            .counter(
                    "ClosingGivenUp",
                    "Connections whose close took too long",
                    shard -> shard.context().sum(StreamCount.CLOSING_GIVEN_UP))
            .counter(
                    "ClosedUnread",
                    "Connections whose handlers left too much unread",
                    shard -> shard.context().sum(StreamCount.UNREAD_LIMIT))
            .counter(
                    "ClosedForMemory",
                    "Connections for whose bytes there was no memory",
                    shard -> shard.context().sum(StreamCount.NO_MEMORY))
            .counter(
                    "ConnectsTimedOut",
                    "Connects that took too long",
                    shard -> shard.context().sum(StreamCount.CONNECT_TIMED_OUT))
            .counter(
                    "OverLimit",
                    "Connections that were reset at once because of a limit",
                    shard -> shard.context().sum(StreamCount.OVER_LIMIT))
            .counter(
                    "AcceptRatePauses",
                    "Pauses of listeners because of their accept rate",
                    shard -> shard.context().sum(StreamCount.RATE_PAUSED))
            .counter(
                    "ReadingPauses",
                    "Times that reading of a connection has paused",
                    shard -> shard.context().sum(StreamCount.READING_PAUSED))
            .counter(
                    "DescriptorsDropped",
                    "Received descriptors that were closed",
                    shard -> shard.context().sum(StreamCount.DESCRIPTOR_DROPPED));

    public static final Figures<StreamReactor> BALANCE = new Figures<StreamReactor>("")
            .state(
                    "Shards",
                    int.class,
                    "Number of shards",
                    reactor -> reactor.shardCounters().size())
            .state(
                    "Connections",
                    double.class,
                    "Of connections that stand",
                    reactor -> reactor.balance().connections().ratio())
            .state(
                    "Detected",
                    double.class,
                    "Of events since the start",
                    reactor -> reactor.balance().detected().ratio())
            .state(
                    "Bytes",
                    double.class,
                    "Of bytes since the start",
                    reactor -> reactor.balance().bytes().ratio());

    private ReactorFigures() {}

    private static boolean hasFailed(StreamReactor reactor) {
        return reactor.failure() != null;
    }

    private static String failure(StreamReactor reactor) {
        return hasFailed(reactor) ? FailureLog.name(reactor.failure().getMessage()) : null;
    }

    private static int failedShard(StreamReactor reactor) {
        return hasFailed(reactor) ? reactor.failure().shard() : ReactorFailedException.ALL_SHARDS;
    }

    private static String[] addresses(StreamReactor reactor, Predicate<Listener> which) {
        return reactor.listeners().stream()
                .filter(which)
                .map(listener -> text(listener.address()))
                .toArray(String[]::new);
    }

    private static long connectionsOfListeners(StreamReactor reactor) {
        long sum = 0;
        for (Listener listener : reactor.listeners()) {
            int max = listener.options().connectionsMax();
            if (max == ListenOptions.UNLIMITED) {
                return 0;
            }
            sum += max;
        }
        return sum;
    }

    private static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            String host = inet.getAddress().getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
        }
        return address.toString();
    }
}
