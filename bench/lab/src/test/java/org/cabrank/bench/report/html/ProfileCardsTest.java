package org.cabrank.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.ReportReader;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUpProfiles;
import org.cabrank.bench.report.profile.CpuProfile;
import org.cabrank.bench.report.profile.CpuProfile.ThreadSamples;
import org.cabrank.bench.report.profile.ProfileReport;
import org.cabrank.bench.report.profile.StackTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfileCardsTest {

    private static final BenchReport WITHOUT =
            MadeUp.everything(1).rounds(1, 1).answersKept(20).report();

    @TempDir
    Path directory;

    private static String values(ProfileReport profiles, String name) {
        return (String) ProfileCards.values(WITHOUT.withProfiles(profiles)).get(name);
    }

    @Test
    void theTableHasSamplesOfUserSpaceAndTheKernelForEachRequest() {
        String table = values(MadeUpProfiles.report(), "profileTable");
        String row = table.substring(table.indexOf("netty-epoll"), table.indexOf("cabrank-epoll-deferred"));
        // 400 and 550 samples of 997 us for 50,000 requests
        assertTrue(row.contains(">7.98<"), row);
        assertTrue(row.contains(">11.0<"), row);
        assertTrue(row.contains(">42.1 %<"), row);
        assertTrue(row.contains("worker 100.0 %"), row);
    }

    @Test
    void withoutStacksOfTheKernelTheTableTellsNoShareOfUserSpace() {
        CpuProfile userOnly = new CpuProfile(
                MadeUpProfiles.CELL,
                "nio",
                "ctimer",
                false,
                997_000,
                10,
                List.of(new ThreadSamples("nio", 5, 0)),
                0,
                new StackTree.Builder().add(List.of("run_[j]"), 5).build());
        String table = values(new ProfileReport(List.of(userOnly), List.of()), "profileTable");
        assertFalse(table.contains("100.0 %</td><td"), table);
        assertEquals(3, table.split("<td class=\"n\">–</td>", -1).length - 1, table);
    }

    @Test
    void theScriptGetsOneTreeForAllContendersAndTheDifferenceOfEachPair() throws Exception {
        JsonNode data = new ObjectMapper().readTree(values(MadeUpProfiles.report(), "profileData"));
        assertEquals(MadeUp.BASELINE, data.get("baseline").textValue());
        JsonNode cell = data.at("/cells/0");
        assertEquals(MadeUpProfiles.CELL, cell.get("cell").textValue());
        assertEquals(950, cell.at("/contenders/0/samples").intValue());
        assertEquals(997_000.0 / 50_000, cell.at("/contenders/0/nsPerSample").doubleValue(), 1e-9);
        JsonNode difference = cell.at("/differences/0-1");
        String most = cell.get("frames").get(difference.get(0).intValue()).textValue();
        assertEquals(MadeUpProfiles.HOSTILE, most);
        assertEquals(400, difference.get(1).intValue());
        assertEquals(250, difference.get(2).intValue());
    }

    @Test
    void thePageSaysThatProfilesAreNotInItsFiguresAndLetsNoFrameEndTheScript() {
        String page = HtmlReport.render(WITHOUT.withProfiles(MadeUpProfiles.report()));
        assertTrue(page.contains("none of this is in the figures of this page"));
        assertTrue(page.contains("c-epoll is not profiled: it is a program without a JVM."));
        assertFalse(page.contains(MadeUpProfiles.HOSTILE));
        assertFalse(HtmlReport.render(WITHOUT).contains("id=\"profiles\""));
    }

    @Test
    void aBenchWhoseProfilerWasRefusedShowsTheReasonAndNoGraph() {
        String why = "nio is not profiled in x: the library was not loaded.";
        String page = HtmlReport.render(WITHOUT.withProfiles(new ProfileReport(List.of(), List.of(why))));
        assertTrue(page.contains(why));
        assertFalse(page.contains("id=\"profile-data\""));
    }

    @Test
    void profilesAreReadFromTheFileAsTheyWereWritten() throws Exception {
        Path file = directory.resolve("report.json");
        JsonFile.write(WITHOUT.withProfiles(MadeUpProfiles.report()), file);
        assertEquals(MadeUpProfiles.report(), ReportReader.read(file).profiles());
    }
}
