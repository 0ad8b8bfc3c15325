package org.cabrank.bench.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

final class TemporaryPrograms implements ProgramDirectory {

    static final TemporaryPrograms DIRECTORY = new TemporaryPrograms();

    private Path directory;

    private TemporaryPrograms() {}

    @Override
    public synchronized Path path() throws IOException {
        if (directory == null) {
            directory = Files.createTempDirectory("cabrank"); // no other user may enter it
            Runtime.getRuntime().addShutdownHook(new Thread(this::delete, "temporary-programs"));
        }
        return directory;
    }

    private synchronized void delete() {
        try (Stream<Path> programs = Files.list(directory)) {
            for (Path program : List.copyOf(programs.toList())) {
                Files.delete(program);
            }
            Files.delete(directory);
        } catch (IOException inTheWay) {
            throw new UncheckedIOException("cannot delete " + directory, inTheWay);
        }
    }
}
