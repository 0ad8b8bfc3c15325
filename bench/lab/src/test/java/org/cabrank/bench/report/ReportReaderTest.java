package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.ReportReader.UnreadableReportException;
import org.cabrank.bench.report.fixture.MadeUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Once
final class ReportReaderTest {

    @TempDir
    Path directory;

    @Test
    void aReportIsReadAsItWasWritten() throws Exception {
        BenchReport report = MadeUp.everything(1)
                .rounds(1, 2)
                .answersKept(20)
                .report(MadeUp.scenarios().subList(0, 1));
        Path file = directory.resolve("report.json");
        JsonFile.write(report, file);
        assertEquals(report, ReportReader.read(file));
    }

    @Test
    void anEarlierFormatIsRefusedWithAMessage() throws IOException {
        String why = refused("{\"format\": 3, \"baseline\": \"nio\", \"summary\": [], \"runs\": []}");
        assertTrue(why.contains("it has format 3, and this version reads format 6: run the bench again"), why);
    }

    @Test
    void fileThatIsNoReportIsRefusedWithTheCause() throws IOException {
        assertTrue(refused("not at all").contains("it is no JSON, at line 1"));
        assertTrue(refused("[1, 2]").contains("no report of 'cabrank bench'"));
        assertTrue(refused("").contains("no report of 'cabrank bench'"));
        assertTrue(refused("{\"format\": 1, \"machine\": {}}").contains("it has format 1"));
        String why = refused("{\"format\": 6, \"baseline\": \"nio\", \"runs\": [], \"complete\": \"perhaps\"}");
        assertTrue(why.contains("a field has another form than in this version: "), why);
    }

    @Test
    void missingFileIsRefusedWithTheCause() {
        assertTrue(why(directory.resolve("absent.json")).contains("there is no such file"));
        assertTrue(why(directory).contains("it is a directory"));
    }

    private String refused(String contents) throws IOException {
        Path file = directory.resolve("a.json");
        Files.writeString(file, contents);
        return why(file);
    }

    private static String why(Path file) {
        return assertThrows(UnreadableReportException.class, () -> ReportReader.read(file))
                .getMessage();
    }
}
