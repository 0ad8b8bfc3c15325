package org.cabrank.bench.report.html;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.profile.CpuProfile;
import org.cabrank.bench.report.profile.CpuProfile.ThreadSamples;
import org.cabrank.bench.report.profile.ProfileReport;
import org.cabrank.bench.report.summary.ReportFormats;

/** Profiles of the contenders: samples in figures, and data for flame graphs and their differences. */
final class ProfileCards {

    private static final int THREADS_SHOWN = 3;

    private ProfileCards() {}

    /** Values of the template. */
    static Map<String, Object> values(BenchReport report) {
        ProfileReport profiles = report.profiles();
        if (profiles == null) {
            return Map.of("profiled", false);
        }
        boolean sampled = !profiles.profiles().isEmpty();
        return Map.of(
                "profiled",
                true,
                "sampled",
                sampled,
                "profileTable",
                table(profiles).render(),
                "profileNotes",
                profiles.notes(),
                "profileData",
                sampled ? json(report) : "",
                "profileScript",
                Asset.own("profile.js"));
    }

    private static HtmlTable table(ProfileReport profiles) {
        HtmlTable table = new HtmlTable(
                "Samples of each contender",
                2,
                List.of(
                        "cell",
                        "contender",
                        "requests",
                        "samples",
                        "user µs/request",
                        "kernel µs/request",
                        "user share",
                        "JVM's threads",
                        "busiest threads"));
        profiles.profiles().forEach(profile -> table.row(row(profile)));
        return table;
    }

    private static List<String> row(CpuProfile profile) {
        long all = profile.samples() + profile.jvmSamples();
        return List.of(
                profile.cell(),
                profile.contender(),
                ReportFormats.of((double) profile.answers()),
                ReportFormats.of((double) profile.samples()),
                profile.kernelStacks() ? us(profile, profile.userSamples()) : ReportFormats.NOTHING,
                profile.kernelStacks() ? us(profile, profile.kernelSamples()) : ReportFormats.NOTHING,
                profile.kernelStacks() ? percent(profile.userShare()) : ReportFormats.NOTHING,
                all == 0 ? ReportFormats.NOTHING : percent((double) profile.jvmSamples() / all),
                profile.threads().stream()
                        .limit(THREADS_SHOWN)
                        .map(thread -> thread.thread() + " " + percent(share(thread, profile)))
                        .collect(Collectors.joining(", ")));
    }

    private static double share(ThreadSamples thread, CpuProfile profile) {
        return (double) (thread.user() + thread.kernel()) / Math.max(1, profile.samples());
    }

    private static String us(CpuProfile profile, long samples) {
        return ReportFormats.of(profile.nsPerRequest(samples) / 1e3);
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? ReportFormats.NOTHING : String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String json(BenchReport report) {
        Map<String, List<CpuProfile>> byCell = report.profiles().profiles().stream()
                .collect(Collectors.groupingBy(CpuProfile::cell, LinkedHashMap::new, Collectors.toList()));
        List<FlameData> cells = byCell.values().stream().map(FlameData::of).toList();
        return Html.json(JsonFile.line(Map.of("baseline", report.baseline(), "cells", cells)));
    }
}
