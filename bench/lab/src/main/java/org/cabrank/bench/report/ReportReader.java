package org.cabrank.bench.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the JSON file of a bench that somebody names, which may be anything. */
public final class ReportReader {

    /** The first format with cells. */
    private static final int WITH_CELLS = 4;

    /** Earlier reports of this format have fields that nothing reads any more. */
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private ReportReader() {}

    /** A file that is no report of this format; the message says why. */
    public static final class UnreadableReportException extends Exception {

        private static final long serialVersionUID = 1L;

        UnreadableReportException(Path file, String why) {
            super("cannot read " + file + ": " + why);
        }

        UnreadableReportException(Path file, String why, Exception cause) {
            super("cannot read " + file + ": " + why, cause);
        }
    }

    /** The report in {@code file}. */
    public static BenchReport read(Path file) throws UnreadableReportException {
        JsonNode tree = tree(file);
        if (!tree.isObject() || !tree.path("format").isInt()) {
            throw new UnreadableReportException(file, "it is JSON, but no report of 'cabrank bench'");
        }
        int format = tree.get("format").intValue();
        if (!tree.path("runs").isArray() || !tree.has("baseline")) {
            throw new UnreadableReportException(
                    file, "it is the report of another command; only those of 'cabrank bench' itself are understood");
        }
        if (format < BenchReport.FORMAT) {
            throw new UnreadableReportException(
                    file,
                    "it has format " + format + ", from before " + since(format) + "; this version reads format "
                            + BenchReport.FORMAT + ": run the bench again");
        }
        if (format > BenchReport.FORMAT) {
            throw new UnreadableReportException(
                    file,
                    "it has format " + format + ", of a later version; this one reads format " + BenchReport.FORMAT);
        }
        return report(file, tree);
    }

    /** Describes the changes after {@code format}. */
    private static String since(int format) {
        return format < WITH_CELLS ? "cells and pairs" : "idle connections were weighed by a JVM's own book-keeping";
    }

    static JsonNode tree(Path file) throws UnreadableReportException {
        if (Files.isDirectory(file)) {
            throw new UnreadableReportException(file, "it is a directory");
        }
        try {
            return MAPPER.readTree(Files.readAllBytes(file));
        } catch (NoSuchFileException absent) {
            throw new UnreadableReportException(file, "there is no such file", absent);
        } catch (AccessDeniedException denied) {
            throw new UnreadableReportException(file, "reading it is not permitted", denied);
        } catch (JacksonException wrong) {
            throw new UnreadableReportException(file, "it is no JSON" + at(wrong), wrong);
        } catch (IOException failed) {
            throw new UnreadableReportException(file, failed.getMessage(), failed);
        }
    }

    private static BenchReport report(Path file, JsonNode tree) throws UnreadableReportException {
        BenchReport report;
        try {
            report = MAPPER.treeToValue(tree, BenchReport.class);
        } catch (JsonMappingException wrong) {
            throw new UnreadableReportException(file, otherVersion(fieldOf(wrong), tree), wrong);
        } catch (JacksonException wrong) {
            throw new UnreadableReportException(file, otherVersion("a field", tree), wrong);
        }
        for (String part : new String[] {
            "startedAt",
            "arguments",
            "versions",
            "machine",
            "jvm",
            "cpus",
            "settings",
            "scenarios",
            "contenders",
            "leftOut",
            "notes",
            "cells"
        }) {
            if (!tree.hasNonNull(part)) {
                throw new UnreadableReportException(file, "its field '" + part + "' is missing");
            }
        }
        return report;
    }

    private static String otherVersion(String field, JsonNode tree) {
        String version = tree.path("versions").path("cabrank").asText("");
        return field
                + " has another form than in the reports of this version: run the bench again, or use the version that wrote it"
                + (version.isEmpty() ? "" : " (" + version + ")");
    }

    /** Path of the field in the file, such as {@code runs[0].measured}. */
    private static String fieldOf(JsonMappingException wrong) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : wrong.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.isEmpty() ? "a field" : "its field '" + path + "'";
    }

    private static String at(JacksonException wrong) {
        return wrong.getLocation() == null
                ? ""
                : ", at line " + wrong.getLocation().getLineNr();
    }
}
