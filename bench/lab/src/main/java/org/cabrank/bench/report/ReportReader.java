package org.cabrank.bench.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the JSON file of a bench. The user chooses the file, so it may have any content. */
public final class ReportReader {

    /** Ignores unknown fields, because older reports of this format have some. */
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private ReportReader() {}

    /** The message has the reason. */
    public static final class UnreadableReportException extends Exception {

        private static final long serialVersionUID = 1L;

        UnreadableReportException(Path file, String why) {
            super("cannot read " + file + ": " + why);
        }

        UnreadableReportException(Path file, String why, Exception cause) {
            super("cannot read " + file + ": " + why, cause);
        }
    }

    public static BenchReport read(Path file) throws UnreadableReportException {
        JsonNode tree = tree(file);
        if (!tree.isObject() || !tree.path("format").isInt()) {
            throw new UnreadableReportException(file, "it is JSON, but no report of 'cabrank bench'");
        }
        int format = tree.get("format").intValue();
        if (format != BenchReport.FORMAT) {
            throw new UnreadableReportException(
                    file,
                    "it has format " + format + ", and this version reads format " + BenchReport.FORMAT
                            + ": run the bench again, or use the version that wrote it");
        }
        try {
            return MAPPER.treeToValue(tree, BenchReport.class);
        } catch (JacksonException wrong) {
            throw new UnreadableReportException(
                    file, "a field has another form than in this version: " + wrong.getOriginalMessage(), wrong);
        }
    }

    private static JsonNode tree(Path file) throws UnreadableReportException {
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

    private static String at(JacksonException wrong) {
        return wrong.getLocation() == null
                ? ""
                : ", at line " + wrong.getLocation().getLineNr();
    }
}
