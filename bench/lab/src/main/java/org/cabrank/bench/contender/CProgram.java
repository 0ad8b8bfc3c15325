package org.cabrank.bench.contender;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program in C, compiled on this machine. Several processes may compile it at once, because the result is moved atomically. */
final class CProgram {

    private static final String COMPILER = "gcc";
    private static final List<String> FLAGS = List.of("-O2", "-Wall");
    private static final List<String> HEADERS = List.of("server.h", "ring.h");

    private static final String LOG = "log";
    private static final String RESULT = "program";
    private static final long COMPILE_TIMEOUT_S = 60;
    private static final int HASH_CHARS = 16;

    private final String source;
    private final String compiler;
    private final List<ProgramDirectory> directories;

    CProgram(String source, String compiler, List<ProgramDirectory> directories) {
        this.source = source;
        this.compiler = compiler;
        this.directories = directories;
    }

    /** Returns the compiled program. Throws {@link ContenderUnavailableException} if compiling or running fails. */
    static Path compiled(String source) throws IOException {
        return new CProgram(source, COMPILER, ProgramDirectory.ofThisUser()).executable();
    }

    Path executable() throws IOException {
        StringBuilder refusals = new StringBuilder();
        for (ProgramDirectory directory : directories) {
            Path path;
            try {
                path = directory.path();
            } catch (IOException unusable) {
                refusals.append("; ").append(unusable.getMessage());
                continue;
            }
            Path program = path.resolve(source.replace(".c", "-") + hash());
            if (!Files.isRegularFile(program)) {
                compile(path, program);
            }
            if (Files.isExecutable(program)) { // false on a file system that is mounted noexec
                return program;
            }
            refusals.append("; ").append(path).append(" lets no program run");
        }
        throw new ContenderUnavailableException("there is no place for a compiled program" + refusals);
    }

    private void compile(Path directory, Path program) throws IOException {
        Path room = Files.createTempDirectory(directory, "compiling");
        try {
            for (String file : files()) {
                Files.write(room.resolve(file), resource(file));
            }
            Path result = room.resolve(RESULT);
            runCompiler(room, result);
            Files.move(result, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            for (String file : files()) {
                Files.deleteIfExists(room.resolve(file));
            }
            Files.deleteIfExists(room.resolve(LOG));
            Files.deleteIfExists(room.resolve(RESULT));
            Files.delete(room);
        }
    }

    private void runCompiler(Path room, Path result) throws IOException {
        Path log = room.resolve(LOG);
        ProcessBuilder builder = new ProcessBuilder(compiler)
                .directory(room.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.command().addAll(FLAGS);
        builder.command().addAll(List.of("-o", result.toString(), source));
        builder.environment().put("LC_ALL", "C");
        Process process;
        try {
            process = builder.start();
        } catch (IOException notThere) {
            throw new ContenderUnavailableException("no gcc: apt-get install gcc libc6-dev");
        }
        try {
            if (!process.waitFor(COMPILE_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new ContenderUnavailableException("gcc was not ready after " + COMPILE_TIMEOUT_S + " s");
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while gcc compiled " + source, stop);
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new ContenderUnavailableException("gcc cannot compile " + source + " here: " + firstError(log));
        }
    }

    private static String firstError(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        String error = lines.stream()
                .filter(line -> line.contains("error:"))
                .findFirst()
                .orElse(lines.isEmpty() ? "it does not say why" : lines.get(0));
        return error.endsWith("No such file or directory") ? error + ": apt-get install libc6-dev" : error;
    }

    private String hash() throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
        String how = compiler + FLAGS + System.getProperty("os.arch");
        digest.update(how.getBytes(StandardCharsets.UTF_8));
        for (String file : files()) {
            digest.update(resource(file));
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_CHARS);
    }

    private List<String> files() {
        return Stream.concat(Stream.of(source), HEADERS.stream()).toList();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream content = CProgram.class.getResourceAsStream("c/" + name)) {
            return content.readAllBytes();
        }
    }
}
