package org.cabrank.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.cabrank.affinity.CpuList;

/** Writes a report atomically, so that a reader never sees half of it. */
public final class JsonFile {

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .registerModule(new SimpleModule().addSerializer(CpuList.class, ToStringSerializer.instance));

    private static final ObjectMapper LINE_MAPPER = new ObjectMapper();

    private JsonFile() {}

    public static void write(Object report, Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        Files.createDirectories(directory);
        // A file that createTempFile creates can be read only by its owner.
        Path temporary = directory.resolve(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            MAPPER.writeValue(temporary.toFile(), report);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    public static String line(Object value) {
        try {
            return LINE_MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("no JSON: " + value, impossible);
        }
    }

    public static String text(Object report) {
        try {
            return MAPPER.writeValueAsString(report);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a report that is no JSON: " + report, impossible);
        }
    }

    public static <T> T read(Path file, Class<T> type) throws IOException {
        return MAPPER.readValue(file.toFile(), type);
    }
}
