package org.cabrank.bench.cli;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.cabrank.bench.load.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a load pattern. */
final class PatternConverter implements ITypeConverter<Pattern> {

    @Override
    public Pattern convert(String text) {
        return Arrays.stream(Pattern.values())
                .filter(pattern -> pattern.toString().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("expected one of "
                        + Arrays.stream(Pattern.values()).map(Pattern::toString).collect(Collectors.joining(", "))
                        + " but was '" + text + "'"));
    }
}
