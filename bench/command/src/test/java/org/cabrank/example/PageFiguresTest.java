package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures and the picture of the pages are those of the recorded run. */
@Once
class PageFiguresTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Pattern CONTENDER = Pattern.compile("`([a-z-]+)`.*");

    private static List<String> cells(String row) {
        return Arrays.stream(row.substring(1).split("\\|")).map(String::strip).toList();
    }

    /** The rows of the first table of contenders below the heading, its head first. */
    private static List<List<String>> table(String page, String heading) throws IOException {
        String text = Files.readString(ROOT.resolve(page));
        String below = text.substring(text.indexOf("\n## " + heading + "\n"));
        return below.substring(below.indexOf("\n| contender |"))
                .stripLeading()
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> !line.startsWith("|---"))
                .map(PageFiguresTest::cells)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"README.md, Results", "bench/RESULTS.md, The default run"})
    void aTableHasTheFiguresOfTheRecordedRun(String page, String heading) throws IOException {
        RecordedRun run = RecordedRun.read(ROOT);
        List<List<String>> rows = table(page, heading);
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (List<String> row : rows.subList(1, rows.size())) {
            Matcher contender = CONTENDER.matcher(row.get(0));
            assertTrue(contender.matches() && run.has(contender.group(1)), () -> row.get(0));
            for (int i = 1; i < row.size(); i++) {
                String column = rows.get(0).get(i);
                double recorded = run.figure(contender.group(1), column);
                if (Double.compare(recorded, Double.parseDouble(row.get(i).replace(",", ""))) != 0) {
                    wrong.add(row.get(0) + ", " + column + ": " + row.get(i) + ", recorded " + recorded);
                }
                compared++;
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(compared >= 25, compared + " figures");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thePictureIsDrawnFromTheRecordedRun(boolean dark) throws IOException {
        String name = "slow-handler-" + (dark ? "dark" : "light") + ".svg";
        String drawn = SlowHandlerPicture.of(RecordedRun.read(ROOT), dark);
        Path expected = Files.writeString(ROOT.resolve("bench/command/target/" + name), drawn);
        assertEquals(drawn, Files.readString(ROOT.resolve("bench/" + name)), () -> "copy " + expected + " to bench");
    }

    @Test
    void theTextOfThePictureHasItsFigures() throws IOException {
        RecordedRun run = RecordedRun.read(ROOT);
        String page = Files.readString(ROOT.resolve("README.md"));
        assertTrue(page.contains("within " + run.figure("cabrank-epoll-deferred", "slow p99")
                + " ms by Cabrank and within " + run.figure("netty-epoll", "slow p99") + " ms by an event loop"));
    }

    @Test
    void thePageOfTheMoveFromNettyHasTheFiguresOfTheRecordedRun() throws IOException {
        RecordedRun run = RecordedRun.read(ROOT);
        String page = Files.readString(ROOT.resolve("lf-pool/protocol/netty/MIGRATION.md"))
                .replaceAll("\\s+", " ");
        String figures = "the reactor answers " + run.figure("cabrank-epoll-deferred", "slow")
                + " times the requests of Netty's event loop, with a p99 of "
                + run.figure("cabrank-epoll-deferred", "slow p99") + " ms instead of "
                + run.figure("netty-epoll", "slow p99") + " ms.";
        assertTrue(page.contains(figures), figures);
        assertTrue(page.split(" ").length <= 800, "the page has 800 words at most");
    }
}
