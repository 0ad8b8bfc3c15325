package org.cabrank.bench.cli;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.bench.load.Pattern;
import org.cabrank.bench.text.ByteSizes;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.handle.Choice;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendProvider;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

final class Converters {

    private Converters() {}

    private abstract static class Parser<T> implements ITypeConverter<T> {

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

    private static <T> T named(T[] values, Function<T, String> word, String text) {
        return Arrays.stream(values)
                .filter(value -> word.apply(value).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected one of " + Arrays.stream(values).map(word).collect(Collectors.joining(", "))
                                + " but was '" + text + "'"));
    }

    /** The completion candidates are the labels with their descriptions. */
    private abstract static class Choices<T extends Choice> extends Parser<T> implements Iterable<String> {
        abstract List<T> values();

        @Override
        T parse(String text) {
            return Choice.of(values(), text);
        }

        @Override
        public Iterator<String> iterator() {
            return values().stream()
                    .map(value -> value.label() + " (" + value.description() + ")")
                    .iterator();
        }
    }

    static final class AcceptModes extends Choices<AcceptMode> {
        @Override
        List<AcceptMode> values() {
            return List.of(AcceptMode.values());
        }
    }

    static final class Promotions extends Choices<Promotion> {
        @Override
        List<Promotion> values() {
            return Promotion.values();
        }
    }

    static final class Orders extends Choices<PromotionOrder> {
        @Override
        List<PromotionOrder> values() {
            return PromotionOrder.values();
        }
    }

    static final class Waitings extends Choices<Waiting> {
        @Override
        List<Waiting> values() {
            return Waiting.values();
        }
    }

    static final class Deactivations extends Choices<Deactivation> {
        @Override
        List<Deactivation> values() {
            return List.of(Deactivation.values());
        }
    }

    static final class Backends extends Parser<Backend> implements Iterable<String> {
        @Override
        Backend parse(String text) {
            String name = text.toLowerCase(Locale.ROOT);
            if (name.equals(Backend.auto().toString())) {
                return Backend.auto();
            }
            List<String> names = BackendProvider.installed().stream()
                    .map(BackendProvider::name)
                    .toList();
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        "expected one of auto, " + String.join(", ", names) + " but was '" + text + "'");
            }
            return Backend.named(name);
        }

        @Override
        public Iterator<String> iterator() {
            return Stream.concat(
                            Stream.of("auto (the best that works here)"),
                            BackendProvider.installed().stream()
                                    .map(provider -> provider.name() + " (" + provider.description() + ")"))
                    .iterator();
        }
    }

    static final class Patterns extends Parser<Pattern> {
        @Override
        Pattern parse(String text) {
            return named(Pattern.values(), Pattern::toString, text);
        }
    }

    static final class ByteCounts extends Parser<Integer> {
        @Override
        Integer parse(String text) {
            return ByteSizes.parse(text);
        }
    }

    /** Reads a list of at least one CPU, such as {@code 0-3,8}. */
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

    static final class Placements extends Parser<Placement> implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Placement.help().iterator();
        }

        @Override
        Placement parse(String text) {
            return Placement.parse(text);
        }
    }
}
