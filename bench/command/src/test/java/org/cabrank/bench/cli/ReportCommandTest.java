package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
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
final class ReportCommandTest {

    @TempDir
    Path directory;

    @Test
    void aPageIsMadeBesideTheFileOrWhereItIsWanted() throws IOException {
        Path json = report("a.json", 1);
        assertEquals(0, Commands.execute("report", "html", json.toString()));
        assertTrue(Files.readString(directory.resolve("a.html")).startsWith("<!DOCTYPE html>"));
        Path page = directory.resolve("page");
        assertEquals(0, Commands.execute("report", "html", json.toString(), "--out", page.toString()));
        assertTrue(Files.exists(page));
    }

    @Test
    void whatCannotBeReadOrWrittenIsAFailure() throws IOException {
        String absent = directory.resolve("absent.json").toString();
        String json = report("a.json", 1).toString();
        assertEquals(Errors.FAILED, Commands.execute("report", "html", absent));
        assertEquals(Errors.FAILED, Commands.execute("report", "html", json, "--out", absent + "/page.html"));
        assertEquals(Errors.FAILED, Commands.execute("report", "compare", json, absent));
        assertEquals(Errors.USAGE, Commands.execute("report", "compare", json));
        assertEquals(Errors.USAGE, Commands.execute("report"));
    }

    /** Each field of a file may be missing: the command makes a page without it, or refuses the file in one line. */
    @Test
    void aFileWithoutAFieldIsAPageOrAFailure() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode whole = mapper.readTree(JsonFile.text(new MadeUp(
                        1,
                        new Server("cabrank-epoll-1", ContenderKind.CABRANK, 1, 0.3, 1),
                        new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1))
                .rounds(1, 1)
                .answersKept(5)
                .report(MadeUp.datagrams())));
        Path lacking = directory.resolve("lacking.json");
        int refused = 0;
        for (String part : List.of("/cells/0", "/contenders/0", "/machine", "/runs/0")) {
            List<String> fields = new ArrayList<>();
            whole.at(part).fieldNames().forEachRemaining(fields::add);
            assertFalse(fields.isEmpty(), part);
            for (String field : fields) {
                JsonNode copy = whole.deepCopy();
                ((ObjectNode) copy.at(part)).remove(field);
                mapper.writeValue(lacking.toFile(), copy);
                CapturedCommand command = CapturedCommand.run("report", "html", lacking.toString());
                if (command.status() != 0) {
                    refused++;
                    assertEquals(Errors.FAILED, command.status(), part + "/" + field);
                    assertEquals(1, command.err().lines().count(), command.err());
                    assertTrue(command.err().contains("run the bench again"), command.err());
                }
            }
        }
        assertTrue(refused > 0, "a page without cells");
    }

    @Test
    void aComparisonFailsOnARegressionOnlyWhenAskedTo() throws IOException {
        String before = report("a.json", 1).toString();
        String after = report("b.json", 0.8).toString();
        Path page = directory.resolve("compare.html");
        assertEquals(0, Commands.execute("report", "compare", before, after, "--html", page.toString()));
        assertTrue(Files.readString(page).contains("Before and after"));
        assertEquals(3, Commands.execute("report", "compare", before, after, "--fail-on-regression"));
        assertEquals(0, Commands.execute("report", "compare", after, before, "--fail-on-regression"));
    }

    /** The baseline is looked at before the bench takes its quarter of an hour. */
    @Test
    void aBaselineThatCannotJudgeIsRefusedBeforeAnythingIsMeasured() throws IOException {
        String baseline = report("a.json", 1).toString();
        String json = directory.resolve("b.json").toString();
        assertEquals(Errors.FAILED, Commands.execute("bench", "--fail-on-regression", baseline, "--json", json));
        assertEquals(Errors.FAILED, Commands.execute("bench", "--fail-on-regression", json, "--json", json));
        assertEquals(
                Errors.USAGE, Commands.execute("bench", "--no-aa", "--fail-on-regression", baseline, "--json", json));
        assertEquals(
                Errors.USAGE, Commands.execute("bench", "--quick", "--fail-on-regression", baseline, "--json", json));
        assertFalse(Files.exists(Path.of(json)));
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
