package org.cabrank.bench.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.cabrank.bench.load.LoadReport;
import org.cabrank.bench.report.ReportReader.UnreadableReportException;

/** Reads the JSON file of a load generator that somebody names, which may be anything. */
public final class LoadReportReader {
    /** Results of earlier versions have fields that nothing reads any more. */
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final String OTHER = "it is JSON, but no result of 'cabrank load'";

    private LoadReportReader() {}

    /** The report in {@code file}. */
    public static LoadReport read(Path file) throws UnreadableReportException {
        JsonNode tree = ReportReader.tree(file);
        if (!tree.path("format").isInt() || !tree.path("generators").isArray()) {
            throw new UnreadableReportException(file, OTHER);
        }
        int format = tree.get("format").intValue();
        if (format != LoadReport.FORMAT) {
            throw new UnreadableReportException(
                    file, "it has format " + format + "; this version reads format " + LoadReport.FORMAT);
        }
        for (JsonNode generator : tree.get("generators")) {
            if (!generator.hasNonNull("id") || !generator.hasNonNull("traffic")) {
                throw new UnreadableReportException(file, OTHER);
            }
        }
        if (!tree.hasNonNull("errors") || !tree.hasNonNull("latencies")) {
            throw new UnreadableReportException(file, OTHER);
        }
        try {
            return MAPPER.treeToValue(tree, LoadReport.class);
        } catch (JacksonException wrong) {
            throw new UnreadableReportException(
                    file, "a field is not as it should be: " + wrong.getOriginalMessage(), wrong);
        }
    }
}
