package org.cabrank.bench.cli;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.cabrank.bench.text.ByteSizes;
import org.cabrank.bench.text.Durations;
import org.cabrank.epoll.EpollOptions;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.settings.Settings;
import org.cabrank.stream.StreamTimeouts;
import picocli.CommandLine.Option;

/** The flag {@code --set}. It sets components of configuration records. The documentation of these records states the ranges. */
final class NamedSettings {
    static final String RING = "ring";
    static final String EPOLL = "epoll";
    static final String TIMEOUT = "timeout";
    static final String HTTP = "http";
    static final String SERVE = "serve";
    static final String DATAGRAM = "datagram";

    private static final Map<String, Record> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put(RING, RingOptions.DEFAULT);
        GROUPS.put(EPOLL, EpollOptions.DEFAULT);
        GROUPS.put(TIMEOUT, StreamTimeouts.DEFAULT);
        GROUPS.put(HTTP, HttpTimeouts.DEFAULT);
        GROUPS.put(SERVE, ServeSettings.DEFAULT);
        GROUPS.put(DATAGRAM, DatagramSettings.DEFAULT);
    }

    private static final Map<String, String> MEANINGS = Map.ofEntries(
            Map.entry("ring.submissionEntries", "requests that one call hands to the kernel"),
            Map.entry("ring.completionEntries", "completions that the ring holds"),
            Map.entry("ring.receiveBuffers", "receive buffers of each ring, a power of two"),
            Map.entry("ring.receiveBufferBytes", "size of each receive buffer"),
            Map.entry("ring.incremental", "fill a receive buffer piece by piece (Linux 6.12)"),
            Map.entry("ring.bundles", "report several filled buffers in one completion (Linux 6.17)"),
            Map.entry("ring.batch", "completions that a wait is for; above 1 only with ring.batchWait"),
            Map.entry("ring.batchWait", "time to wait for the batch (Linux 6.12)"),
            Map.entry("ring.ioWait", "count a waiting thread as iowait, as before Linux 6.15"),
            Map.entry("ring.boundedWorkersMax", "kernel threads of each ring thread for files; 0: the kernel's limit"),
            Map.entry("ring.unboundedWorkersMax", "the same for sockets and pipes; 0: the kernel's limit"),
            Map.entry("ring.datagramBuffers", "buffers for datagrams of one size; 0: receive by recvmmsg"),
            Map.entry("epoll.busyPoll", "time to poll the network device before a wait sleeps (Linux 6.9)"),
            Map.entry("epoll.busyPollBudget", "packets of each poll of the device"),
            Map.entry("epoll.preferBusyPoll", "leave interrupts of the device off while it is polled"),
            Map.entry("timeout.idle", "close a connection without traffic; 0s: never"),
            Map.entry("timeout.close", "reset a closing connection without progress; 0s: never"),
            Map.entry("timeout.closeTotal", "reset a closing connection, whatever its progress; 0s: never"),
            Map.entry("timeout.connect", "give up connecting; 0s: never"),
            Map.entry("http.head", "time for the head of a request, then 408; 0s: no limit"),
            Map.entry("http.body", "time for the body of a request, then 408; 0s: no limit"),
            Map.entry("http.idle", "close a connection without a request; 0s: never"),
            Map.entry("http.answers", "time for a client to take its answers, then a reset; 0s: no limit"),
            Map.entry("serve.sharedThreads", "threads that serve all shards together; 0: each shard has its own"),
            Map.entry("serve.scheduling", "of the pool threads: nice:5, fifo:10, rr:10, batch or idle"),
            Map.entry("serve.strictPlacement", "refuse to start, and end, if the placement is unavailable"),
            Map.entry(
                    "serve.reserveCpus",
                    "CPUs that are reserved here are left out, and those taken are reserved: host, or a directory"),
            Map.entry("serve.connectionsPerPeerMax", "open connections from one address; 0: no limit"),
            Map.entry("serve.acceptRate", "connections accepted per second, more wait; 0: no limit"),
            Map.entry("serve.drainGrace", "part of --drain-timeout for which idle connections stay open"),
            Map.entry("datagram.batch", "datagrams that one system call receives, 1 to 1024"),
            Map.entry("datagram.receiveBufferBytes", "receive buffer of each socket, up to net.core.rmem_max"));

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Sets one of the other settings, such as ring.receiveBuffers=1024 or timeout.close=2s; may be given several"
                            + " times. The names stand at the end of this help, with their defaults.")
    private Map<String, String> given = new LinkedHashMap<>();

    static String[] help() {
        List<String> lines = new ArrayList<>(List.of(
                "%nSettings of --set NAME=VALUE (ring: for --backend iouring, epoll: for --backend epoll, http: for"
                        + " serve http, datagram: for serve echo --udp)%n"));
        GROUPS.forEach((group, defaults) -> {
            for (RecordComponent component : defaults.getClass().getRecordComponents()) {
                String name = group + "." + component.getName();
                String meaning = Objects.requireNonNull(MEANINGS.get(name), name);
                lines.add(String.format("  %-46s%s%n", name + "=" + standard(group, component), meaning));
            }
        });
        return lines.toArray(String[]::new);
    }

    boolean has(String group) {
        return given.keySet().stream().anyMatch(name -> name.startsWith(group + "."));
    }

    /** @param without names of groups and of single settings that the service does not have */
    void check(String service, List<String> without) {
        given.keySet().forEach(name -> {
            String group = name.replaceFirst("\\..*", "");
            if (!GROUPS.containsKey(group) || !name.contains(".")) {
                throw new IllegalArgumentException("--set " + name + ": expected a name that begins with one of "
                        + GROUPS.keySet().stream().map(known -> known + ".").collect(Collectors.joining(", ")));
            }
            if (without.contains(group) || without.contains(name)) {
                throw new IllegalArgumentException("--set " + name + " is not for " + service + ": leave it out");
            }
        });
    }

    <R extends Record> R of(String group, R settings) {
        Map<String, Object> changes = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            if (name.startsWith(group + ".")) {
                RecordComponent component = component(group, name);
                changes.put(component.getName(), value(name, component.getType(), value));
            }
        });
        try {
            return Settings.with(settings, changes);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "--set " + group + ": " + Durations.replaceIso(wrong.getMessage()), wrong);
        }
    }

    private static RecordComponent component(String group, String name) {
        RecordComponent[] all = GROUPS.get(group).getClass().getRecordComponents();
        return Arrays.stream(all)
                .filter(component -> name.equals(group + "." + component.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--set: there is no setting '" + name + "': there are "
                        + Arrays.stream(all)
                                .map(component ->
                                        group + "." + component.getName() + " (" + standard(group, component) + ")")
                                .collect(Collectors.joining(", "))));
    }

    private static String standard(String group, RecordComponent component) {
        try {
            return Durations.replaceIso(String.valueOf(component.getAccessor().invoke(GROUPS.get(group))));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Object value(String name, Class<?> type, String text) {
        try {
            if (type == boolean.class) {
                if (!text.equals("true") && !text.equals("false")) {
                    throw new IllegalArgumentException("expected true or false but was '" + text + "'");
                }
                return Boolean.valueOf(text);
            }
            if (type == String.class) {
                return text;
            }
            return type == Duration.class ? Durations.parse(text) : (Object) number(name, text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("--set " + name + ": " + wrong.getMessage(), wrong);
        }
    }

    private static int number(String name, String text) {
        if (name.endsWith("Bytes")) {
            return ByteSizes.parse(text);
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("expected a number but was '" + text + "'", wrong);
        }
    }
}
