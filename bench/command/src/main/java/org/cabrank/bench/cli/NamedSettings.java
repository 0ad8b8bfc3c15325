package org.cabrank.bench.cli;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.cabrank.bench.text.ByteSizes;
import org.cabrank.bench.text.Durations;
import org.cabrank.epoll.EpollOptions;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.Settings;
import org.cabrank.stream.StreamTimeouts;
import picocli.CommandLine.Option;

/**
 * The flag {@code --set}: a value for a component of a configuration record. Names, types and defaults are those of the records, whose
 * documentation states meaning and ranges.
 */
final class NamedSettings {
    static final String RING = "ring";
    static final String EPOLL = "epoll";
    static final String TIMEOUT = "timeout";
    static final String HTTP = "http";

    private static final Map<String, Record> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put(RING, RingOptions.DEFAULT);
        GROUPS.put(EPOLL, EpollOptions.DEFAULT);
        GROUPS.put(TIMEOUT, StreamTimeouts.DEFAULT);
        GROUPS.put(HTTP, HttpTimeouts.DEFAULT);
    }

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Sets one of the other settings, such as ring.receiveBuffers=1024 or timeout.close=2s; may be given several"
                            + " times. The groups are ring (RingOptions, for --backend iouring), epoll (EpollOptions, for --backend"
                            + " epoll), timeout (StreamTimeouts) and http (HttpTimeouts): their documentation explains each. A wrong name"
                            + " lists those of its group, with defaults.")
    private Map<String, String> given = new LinkedHashMap<>();

    /** Returns true if a setting of the group is given. */
    boolean has(String group) {
        return given.keySet().stream().anyMatch(name -> name.startsWith(group + "."));
    }

    /** @throws IllegalArgumentException if there is no group of this name */
    void check() {
        given.keySet().forEach(name -> {
            String group = name.replaceFirst("\\..*", "");
            if (!GROUPS.containsKey(group) || !name.contains(".")) {
                throw new IllegalArgumentException("--set " + name + ": expected a name that begins with one of "
                        + GROUPS.keySet().stream().map(known -> known + ".").collect(Collectors.joining(", ")));
            }
        });
    }

    /**
     * Returns {@code settings} with the given values of the group.
     *
     * @throws IllegalArgumentException if a name or a value is wrong
     */
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
