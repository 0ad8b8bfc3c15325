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
import org.cabrank.bench.report.compare.BeforeAfter;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.cabrank.bench.report.fixture.MadeUpProfiles;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.junit.jupiter.api.Test;

@Once
final class HtmlReportTest {

    private static final String HOSTILE = "</script><script>alert('x\"&')</script><!-- ]]> \u001b[31m \u2028";
    private static final BenchReport EVERYTHING = MadeUp.everything(1)
            .rounds(2, 3)
            .answersKept(300)
            .report(MadeUp.scenarios())
            .withProfiles(MadeUpProfiles.report());
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
                "percentiles",
                "connections",
                "cpu",
                "rate",
                "slow",
                "noise",
                "results",
                "profiles",
                "troubles",
                "environment",
                "tuning",
                "again")) {
            assertTrue(page.contains("<section id=\"" + id + "\""), id);
        }
        assertTrue(page.contains("scripts/cabrank bench --rounds 2"));
        assertTrue(page.contains("A made-up CPU"));
        assertTrue(page.contains("http: wrk is not installed"));
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
        String summary = page.substring(page.indexOf("id=\"summary\""), page.indexOf("id=\"chips\""));
        assertTrue(summary.contains("no difference seen"), summary);
        assertTrue(summary.contains("Noise floor"), summary);
    }

    @Test
    void everyChartHasItsTable() {
        String page = pageOfEverything();
        assertEquals(7, page.split("class=\"canvases\"", -1).length - 1);
        assertEquals(7, page.split("These figures as a table", -1).length - 1);
    }

    @Test
    void providersOfTheHttpServerHaveTheirOwnChart() {
        List<CellInfo> cells = new Wishes(Extent.STANDARD, List.of(64), List.of(), null)
                .cells(Scenarios.named(List.of(Scenarios.HTTP_SERVER))).stream()
                        .map(cell -> cell.info(0))
                        .toList();
        BenchReport report = MadeUp.everything(1)
                .answersKept(20)
                .rounds(1, 1)
                .report(List.of(new ScenarioInfo(Scenarios.HTTP_SERVER, "Providers.", cells)));
        String page = HtmlReport.render(report);
        String chart =
                page.substring(page.indexOf("<section id=\"http-server\""), page.indexOf("<section id=\"results\""));
        assertTrue(chart.contains("fast p99") && chart.contains("http-server/10permille-10ms-64"), chart);
        assertTrue(page.contains("['http-server', providers]"));
        assertFalse(pageOfEverything().contains("<section id=\"http-server\""));
    }

    @Test
    void lostDatagramsHaveAChartAndAColumn() {
        BenchReport report = new MadeUp(
                        1,
                        new Server("cabrank-epoll-1", ContenderKind.CABRANK, 0.8, 0.6, 1),
                        new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1))
                .answersKept(100)
                .report(MadeUp.datagrams());
        ChartData.Cell rated = ChartData.of(report).cells().get(1);
        assertEquals("datagrams/50%-8x64B", rated.id());
        assertEquals(1.96, rated.results().get(0).lost(), 0.01);
        String page = HtmlReport.render(report);
        String chart = page.substring(page.indexOf("<section id=\"lost\""), page.indexOf("<section id=\"results\""));
        assertTrue(chart.contains("datagrams/50%-8x64B") && !chart.contains("datagrams/8x16x64B"), chart);
        assertTrue(page.contains("lost %"));
        assertFalse(pageOfEverything().contains("<section id=\"lost\""));
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
        BenchReport hostile = madeUp.report(scenarios, runs);
        for (String page : List.of(
                HtmlReport.render(hostile.withProfiles(MadeUpProfiles.report())),
                ComparePage.render(BeforeAfter.of(hostile, hostile)) + "<script></script>".repeat(5))) {
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
        assertTrue(page.contains("were not measured side by side"));
        assertFalse(page.contains("class=\"canvases\""));
    }

    @Test
    void aContenderIsDrawnAlikeInEveryReport() {
        assertEquals(ChartPalette.of("some-server"), ChartPalette.of("some-server"));
        long different = List.of(
                        "cabrank-epoll-1",
                        "cabrank-epoll-eager",
                        "cabrank-epoll-deferred",
                        "cabrank-iouring",
                        "nio",
                        "netty-nio",
                        "netty-epoll",
                        "netty-iouring",
                        "hshr",
                        "c-epoll")
                .stream()
                .map(name -> ChartPalette.of(name).light())
                .distinct()
                .count();
        assertEquals(10, different);
    }

    static BenchReport everything() {
        return EVERYTHING;
    }
}
