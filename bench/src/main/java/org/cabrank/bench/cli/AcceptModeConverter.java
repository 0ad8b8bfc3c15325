package org.cabrank.bench.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.cabrank.stream.AcceptMode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code reuseport-cpu} and so on: the modes' names with hyphens. */
final class AcceptModeConverter implements ITypeConverter<AcceptMode> {

    @Override
    public AcceptMode convert(String text) {
        return Arrays.stream(AcceptMode.values())
                .filter(mode -> word(mode).equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("expected one of "
                        + Arrays.stream(AcceptMode.values())
                                .map(AcceptModeConverter::word)
                                .collect(Collectors.joining(", "))
                        + " but was '" + text + "'"));
    }

    private static String word(AcceptMode mode) {
        return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
