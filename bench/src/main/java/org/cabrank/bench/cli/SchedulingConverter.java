package org.cabrank.bench.cli;

import org.cabrank.affinity.SchedulingPolicy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code nice:5}, {@code fifo:10}, {@code batch}. */
final class SchedulingConverter implements ITypeConverter<SchedulingPolicy> {

    @Override
    public SchedulingPolicy convert(String text) {
        try {
            return SchedulingPolicy.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
