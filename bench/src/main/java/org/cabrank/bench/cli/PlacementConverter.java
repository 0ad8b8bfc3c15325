package org.cabrank.bench.cli;

import org.cabrank.affinity.placement.Placement;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code cores} and the others. A class of its own, as {@link CpuListConverter} is. */
final class PlacementConverter implements ITypeConverter<Placement> {

    @Override
    public Placement convert(String text) {
        try {
            return Placement.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
    }
}
