package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Once
final class CompareTest {

    @TempDir
    Path directory;

    @Test
    void aComparisonHasAStatusForEachOutcome() throws IOException {
        String before = report("a.json", 1).toString();
        String after = report("b.json", 0.8).toString();
        assertEquals(Errors.REGRESSION, Commands.execute("bench", "--compare", before, after));
        assertEquals(0, Commands.execute("bench", "--compare", after, before));
        assertEquals(Errors.FAILED, Commands.execute("bench", "--compare", after, "/nonexistent/b.json"));
    }

    /** Each field of a file may be missing: the command compares without the field, or refuses the file in one line. */
    @Test
    void aFileWithoutAFieldIsComparedOrAFailure() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        Path whole = report("a.json", 1);
        JsonNode tree = mapper.readTree(whole.toFile());
        Path lacking = directory.resolve("lacking.json");
        for (String part : List.of("/cells/0", "/contenders/0", "/machine", "/runs/0")) {
            List<String> fields = new ArrayList<>();
            tree.at(part).fieldNames().forEachRemaining(fields::add);
            for (String field : fields) {
                JsonNode copy = tree.deepCopy();
                ((ObjectNode) copy.at(part)).remove(field);
                mapper.writeValue(lacking.toFile(), copy);
                CapturedCommand command =
                        CapturedCommand.run("bench", "--compare", whole.toString(), lacking.toString());
                if (command.status() != 0) {
                    assertEquals(Errors.FAILED, command.status(), part + "/" + field);
                    assertEquals(1, command.err().lines().count(), command.err());
                }
            }
        }
    }

    private Path report(String name, double speed) throws IOException {
        Path file = directory.resolve(name);
        JsonFile.write(
                new MadeUp(
                                1,
                                new Server("cabrank-epoll-1", ContenderKind.CABRANK, speed, 0.3, 1),
                                new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1),
                                new Server(MadeUp.CONTROL, ContenderKind.CONTROL, 1, 0.6, 1))
                        .answersKept(30)
                        .rounds(6, 2)
                        .report(MadeUp.twoCells()),
                file);
        return file;
    }
}
