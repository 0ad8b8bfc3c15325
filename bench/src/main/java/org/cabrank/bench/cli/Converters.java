package org.cabrank.bench.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.reservation.CpuReservationException;
import org.cabrank.affinity.reservation.CpuReservations;
import org.cabrank.bench.load.Pattern;
import org.cabrank.bench.text.ByteSizes;
import org.cabrank.stream.AcceptMode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option values. One class each, so that a command loads only the classes behind its own options. */
final class Converters {

    private Converters() {}

    private abstract static class Parser<T> implements ITypeConverter<T> {

        /** @throws IllegalArgumentException with a message that states the expected format */
        abstract T parse(String text);

        @Override
        public final T convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }

    /** The constant of {@code values} whose word is {@code text}, in any case. */
    private static <T> T named(T[] values, Function<T, String> word, String text) {
        return Arrays.stream(values)
                .filter(value -> word.apply(value).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected one of " + Arrays.stream(values).map(word).collect(Collectors.joining(", "))
                                + " but was '" + text + "'"));
    }

    /** {@code reuseport-cpu} and so on: names of the modes with hyphens. */
    static final class AcceptModes extends Parser<AcceptMode> {
        @Override
        AcceptMode parse(String text) {
            return named(
                    AcceptMode.values(),
                    mode -> mode.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    text);
        }
    }

    /** Name of a load pattern. */
    static final class Patterns extends Parser<Pattern> {
        @Override
        Pattern parse(String text) {
            return named(Pattern.values(), Pattern::toString, text);
        }
    }

    /** Sizes such as 64 or 16k. */
    static final class ByteCounts extends Parser<Integer> {
        @Override
        Integer parse(String text) {
            return ByteSizes.parse(text);
        }
    }

    /** {@code 0-3,8}; at least one CPU. */
    static final class Cpus extends Parser<CpuList> {
        @Override
        CpuList parse(String text) {
            CpuList cpus = CpuList.parse(text);
            if (cpus.isEmpty()) {
                throw new IllegalArgumentException("the list names no CPU; right would be 0-3,8 for instance");
            }
            return cpus;
        }
    }

    /** {@code cores} and the other placements. */
    static final class Placements extends Parser<Placement> {
        @Override
        Placement parse(String text) {
            return Placement.parse(text);
        }
    }

    /** {@code nice:5}, {@code fifo:10}, {@code batch}. */
    static final class Scheduling extends Parser<SchedulingPolicy> {
        @Override
        SchedulingPolicy parse(String text) {
            return SchedulingPolicy.parse(text);
        }
    }

    /** Any text is the name of a directory; the empty text is the host's own. */
    static final class Reservations extends Parser<ReservationDirectory> {
        @Override
        ReservationDirectory parse(String text) {
            return new ReservationDirectory(text);
        }
    }

    /**
     * Directory in which services of a host reserve CPUs.
     *
     * @param directory empty: the host's default
     */
    record ReservationDirectory(String directory) {

        CpuReservations open() throws CpuReservationException {
            return directory.isEmpty() ? CpuReservations.ofThisHost() : CpuReservations.in(Path.of(directory));
        }
    }
}
