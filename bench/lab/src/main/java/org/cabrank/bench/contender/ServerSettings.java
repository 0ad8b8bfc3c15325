package org.cabrank.bench.contender;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.handler.SlowSwitch;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.stream.AcceptMode;

/**
 * Settings that all contenders share. {@code threads} 0 means the contender's default. {@code tls} is null without TLS. {@code slowSwitch}
 * is null if the slowness never changes. A contender ignores settings that it does not support.
 */
public record ServerSettings(
        SlowRequests slow,
        int threads,
        ShardSettings shards,
        PlacementSettings placement,
        Protocol protocol,
        LabTls tls,
        SlowSwitch slowSwitch) {

    /** Default number of threads. If one of 1,000 requests blocks for 5 ms, four of 64 connections rarely block at the same time. */
    public static final int DEFAULT_THREADS = 4;

    public static final ServerSettings DEFAULT = new ServerSettings(SlowRequests.NONE, 0);

    private static final int THREADS_MAX = 1_024;
    private static final String SLOW_PERMILLE = "slow-permille=";
    private static final String SLOW_TIME_NS = "slow-time-ns=";
    private static final String SLOW_WAY = "slow-way=";
    private static final String SLOW_SWITCH = "slow-switch=";
    private static final String THREADS = "threads=";
    private static final String SHARDS = "shards=";
    private static final String ACCEPT = "accept=";
    private static final String PLACEMENT = "placement=";
    private static final String TLS = "tls=";
    private static final String PROTOCOL = "protocol=";

    public ServerSettings {
        if (threads != 0) {
            checkThreads(threads);
        }
        Objects.requireNonNull(protocol);
        if (protocol.overTls() && tls == null) {
            throw new IllegalArgumentException(protocol.word() + " needs a certificate");
        }
    }

    public ServerSettings(SlowRequests slow, int threads) {
        this(slow, threads, ShardSettings.DEFAULT, PlacementSettings.NONE);
    }

    public ServerSettings(SlowRequests slow, int threads, ShardSettings shards, PlacementSettings placement) {
        this(slow, threads, shards, placement, Protocol.ECHO, null, null);
    }

    public ServerSettings withProtocol(Protocol other) {
        return new ServerSettings(slow, threads, shards, placement, other, tls, slowSwitch);
    }

    public ServerSettings withTls(LabTls other) {
        return new ServerSettings(slow, threads, shards, placement, protocol, other, slowSwitch);
    }

    public ServerSettings withSlow(SlowRequests other) {
        return new ServerSettings(other, threads, shards, placement, protocol, tls, slowSwitch);
    }

    public ServerSettings withSlowSwitch() {
        return new ServerSettings(SlowRequests.NONE, threads, shards, placement, protocol, tls, new SlowSwitch());
    }

    public static void checkThreads(int threads) {
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException("threads is " + threads + ", expected 1 to " + THREADS_MAX);
        }
    }

    public int threadsElse(int ownDefault) {
        return threads == 0 ? ownDefault : threads;
    }

    public HandlerWork work() {
        return new HandlerWork(slowSwitch == null ? slow : slowSwitch);
    }

    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(slowArguments(slow));
        arguments.addAll(List.of(
                THREADS + threads,
                SHARDS + shards.count(),
                ACCEPT + shards.accept(),
                PLACEMENT + placement.placement(),
                PROTOCOL + protocol,
                TLS + (tls == null ? "" : tls.directory()),
                SLOW_SWITCH + (slowSwitch != null)));
        return arguments;
    }

    public static ServerSettings fromArguments(List<String> arguments) {
        List<String> left = new ArrayList<>(arguments);
        ServerSettings settings = new ServerSettings(
                takeSlow(left),
                (int) number(left, THREADS),
                new ShardSettings((int) number(left, SHARDS), AcceptMode.valueOf(take(left, ACCEPT))),
                PlacementSettings.of(Placement.parse(take(left, PLACEMENT))),
                Protocol.valueOf(take(left, PROTOCOL)),
                tls(take(left, TLS)),
                Boolean.parseBoolean(take(left, SLOW_SWITCH)) ? new SlowSwitch() : null);
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("unknown contender arguments: " + left);
        }
        return settings;
    }

    public static List<String> slowArguments(SlowRequests slow) {
        return List.of(
                SLOW_PERMILLE + slow.permille(),
                SLOW_TIME_NS + slow.timeNs(),
                SLOW_WAY + slow.way().name());
    }

    static SlowRequests takeSlow(List<String> left) {
        return new SlowRequests(
                (int) number(left, SLOW_PERMILLE),
                number(left, SLOW_TIME_NS),
                BlockingWay.valueOf(take(left, SLOW_WAY)));
    }

    private static LabTls tls(String directory) {
        return directory.isEmpty() ? null : new LabTls(Path.of(directory));
    }

    private static long number(List<String> arguments, String prefix) {
        return Long.parseLong(take(arguments, prefix));
    }

    private static String take(List<String> arguments, String prefix) {
        for (String argument : arguments) {
            if (argument.startsWith(prefix)) {
                arguments.remove(argument);
                return argument.substring(prefix.length());
            }
        }
        throw new IllegalArgumentException("missing contender argument " + prefix);
    }

    /** If {@code count} is 0, there is one shard or event loop for each CPU of the process. Only Cabrank's shards use {@code accept}. */
    public record ShardSettings(int count, AcceptMode accept) {

        public static final ShardSettings DEFAULT = new ShardSettings(0, AcceptMode.DISPATCH);

        private static final int COUNT_MAX = 1_024;

        public ShardSettings {
            Objects.requireNonNull(accept);
            if (count < 0 || count > COUNT_MAX) {
                throw new IllegalArgumentException("shards is " + count + ", expected 1 to " + COUNT_MAX);
            }
        }

        int countElseCpus() {
            return count == 0 ? Runtime.getRuntime().availableProcessors() : count;
        }
    }
}
