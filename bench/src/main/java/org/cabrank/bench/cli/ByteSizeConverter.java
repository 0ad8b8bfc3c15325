package org.cabrank.bench.cli;

import org.cabrank.bench.text.ByteSizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes such as 64 or 16k. */
final class ByteSizeConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
        try {
            return ByteSizes.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
