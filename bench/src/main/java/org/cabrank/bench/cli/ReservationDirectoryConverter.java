package org.cabrank.bench.cli;

import picocli.CommandLine.ITypeConverter;

/** Any text is a directory's name; none, the host's own. */
final class ReservationDirectoryConverter implements ITypeConverter<ReservationDirectory> {
    @Override
    public ReservationDirectory convert(String value) {
        return new ReservationDirectory(value);
    }
}
