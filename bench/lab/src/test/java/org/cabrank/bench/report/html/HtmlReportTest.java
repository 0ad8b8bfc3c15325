package org.cabrank.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.junit.jupiter.api.Test;

@Once
final class HtmlReportTest {

    private static final String HOSTILE = "</script><script>alert('x\"&')</script><!-- ]]> \u001b[31m \u2028";
    private static final BenchReport EVERYTHING =
            MadeUp.everything(1).rounds(2, 3).answersKept(300).report(MadeUp.scenarios());
    private static final Pattern FETCHES =
            Pattern.compile("(?i)<(script|img|iframe|link|object|embed)[^>]*(src|href)=\"(?!data:)");

    /** Rendered once: its statistics take seconds. */
    private static final class Page {
        static final String OF_EVERYTHING = HtmlReport.render(everything());
    }

    static String pageOfEverything() {
        return Page.OF_EVERYTHING;
    }

    @Test
    void everyPartOfTheReportIsThere() {
        String page = pageOfEverything();
        for (String id : List.of(
                "summary",
                "requests",
                "waiting",
                "percentiles",
                "cpu",
                "results",
                "troubles",
                "environment",
                "again")) {
            assertTrue(page.contains("<section id=\"" + id + "\""), id);
        }
        assertTrue(page.contains("scripts/cabrank bench --rounds 2"));
        assertTrue(page.contains("A made-up CPU"));
        assertTrue(page.contains("http: no such server"));
    }

    @Test
    void theSummarySaysNoDifferenceSeenInThoseWords() {
        String page = HtmlReport.render(new MadeUp(
                        1,
                        new Server("cabrank-epoll-1", ContenderKind.CABRANK, 1, 0.6, 1),
                        new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1),
                        new Server(MadeUp.CONTROL, ContenderKind.CONTROL, 1, 0.6, 1))
                .answersKept(100)
                .report());
        String summary = page.substring(page.indexOf("id=\"summary\""), page.indexOf("id=\"requests\""));
        assertTrue(summary.contains("no difference seen"), summary);
        assertTrue(summary.contains("Noise: the baseline was measured twice"), summary);
    }

    @Test
    void thePageFetchesNothingAndKeepsTheLicenceOfItsLibrary() {
        String page = pageOfEverything();
        assertFalse(FETCHES.matcher(page).find());
        assertFalse(page.contains("sourceMappingURL"));
        assertTrue(page.contains("default-src 'none'"));
        assertTrue(page.contains("Permission is hereby granted, free of charge"));
    }

    @Test
    void namesAndLogsCannotBecomeMarkupOrScript() {
        CellInfo cell = MadeUp.cell(HOSTILE, HOSTILE, LoadTraffic.pingPong(64, 64));
        List<ScenarioInfo> scenarios = List.of(new ScenarioInfo(HOSTILE, HOSTILE, List.of(cell)));
        MadeUp madeUp = new MadeUp(
                        1,
                        new Server("cabrank" + HOSTILE, ContenderKind.CABRANK, 1, 0.3, 1),
                        new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1))
                .answersKept(20);
        List<RunRecord> runs = new ArrayList<>(madeUp.runs(scenarios));
        runs.add(RunRecord.notMeasured(9, 1, MadeUp.BASELINE, HOSTILE, HOSTILE).in(HOSTILE, 1));
        String plain = pageOfEverything();
        for (String page : List.of(HtmlReport.render(madeUp.report(scenarios, runs)))) {
            assertFalse(page.contains("<script>alert"), "not even within the JSON");
            assertEquals(plain.split("<script", -1).length, page.split("<script", -1).length);
            assertEquals(plain.split("</script", -1).length, page.split("</script", -1).length);
            assertFalse(page.contains("\u001b"));
            assertTrue(page.contains("&lt;/script&gt;&lt;script&gt;alert(&#39;x&quot;&amp;&#39;)"));
        }
    }

    @Test
    void aReportWithoutAnyResultIsAPageToo() {
        BenchReport empty = new MadeUp(1, new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1))
                .report(MadeUp.scenarios(), List.of());
        String page = HtmlReport.render(empty);
        assertTrue(page.contains("No cell of this run has both"));
    }

    static BenchReport everything() {
        return EVERYTHING;
    }
}
