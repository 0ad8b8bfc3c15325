package org.cabrank.example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;

/** The recorded run of the bench that figures of the pages come from. */
record RecordedRun(JsonNode run) {
    static RecordedRun read(Path root) throws IOException {
        return new RecordedRun(new ObjectMapper()
                .readTree(root.resolve("bench/default-run.json").toFile()));
    }

    boolean has(String contender) {
        return run.get("contenders").has(contender);
    }

    /** A figure; NaN: none was recorded. */
    double figure(String contender, String column) {
        JsonNode figure = run.get("contenders").get(contender).get(column);
        return figure == null ? Double.NaN : figure.doubleValue();
    }

    double blockedMs() {
        return run.get("blocked ms").doubleValue();
    }

    String origin() {
        return run.get("date").textValue() + ", " + run.get("machine").textValue() + "; "
                + run.get("slow").textValue();
    }
}
