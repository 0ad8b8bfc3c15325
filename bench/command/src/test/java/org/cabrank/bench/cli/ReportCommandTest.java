package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                        .report(MadeUp.scenarios().subList(0, 2)),
                file);
        return file;
    }
}
