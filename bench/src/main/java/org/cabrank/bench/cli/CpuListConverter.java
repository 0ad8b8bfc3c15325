package org.cabrank.bench.cli;

import org.cabrank.affinity.CpuList;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 0-3,8}; at least one CPU. A class of its own: only commands that are given a list need the class behind it. */
final class CpuListConverter implements ITypeConverter<CpuList> {

    @Override
    public CpuList convert(String text) {
        CpuList cpus;
        try {
            cpus = CpuList.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(wrong.getMessage());
        }
        if (cpus.isEmpty()) {
            throw new TypeConversionException("the list names no CPU; right would be 0-3,8 for instance");
        }
        return cpus;
    }
}
