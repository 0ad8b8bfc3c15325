package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.statistics.Verdict;
import org.cabrank.bench.report.summary.BackendSentences;
import org.cabrank.bench.report.summary.CostSentence;
import org.cabrank.bench.report.summary.Duel;
import org.cabrank.bench.report.summary.Headline;
import org.cabrank.bench.report.summary.NoiseFloor;
import org.cabrank.bench.report.summary.ReportFormats;

/** Summary of a page: the answer, the duels of each scenario, and the cost of a request. */
final class Summary {

    private Summary() {}

    static Map<String, Object> values(BenchReport report) {
        List<Headline> headlines = Headline.of(report);
        List<String> facts = new ArrayList<>();
        CostSentence.of(report).ifPresent(facts::add);
        facts.add(NoiseFloor.of(report).text());
        Duel.imprecise(headlines.stream()
                        .flatMap(headline -> headline.duels().stream())
                        .toList())
                .ifPresent(facts::add);
        Forest forest = Forest.of(headlines.stream()
                .flatMap(headline -> headline.duels().stream())
                .map(Duel::ratio)
                .toList());
        List<Map<String, Object>> tiles = tiles(headlines, report);
        Map<String, Object> values = new HashMap<>();
        List<String> answer = BackendSentences.of(report);
        values.put("headline", answer.isEmpty() ? "Servers compared on this machine" : answer.get(0));
        values.put("answer", answer.isEmpty() ? answer : answer.subList(1, answer.size()));
        values.put("tiles", tiles);
        values.put("tallied", !tiles.isEmpty());
        values.put("facts", facts);
        values.put("scale", headlines.isEmpty() ? "" : forest.scale());
        values.put(
                "headlines",
                headlines.stream().map(headline -> headline(headline, forest)).toList());
        return values;
    }

    /** Returns no tiles if no cell has both Cabrank and a Java peer. */
    private static List<Map<String, Object>> tiles(List<Headline> headlines, BenchReport report) {
        if (headlines.stream().allMatch(one -> one.duels().isEmpty())) {
            return List.of();
        }
        long failures = report.runs().stream().filter(RunRecord::failed).count();
        List<Map<String, Object>> tiles = new ArrayList<>();
        tiles.add(tile(count(headlines, Verdict.BETTER), "Cabrank ahead", "better"));
        tiles.add(tile(count(headlines, Verdict.NO_DIFFERENCE_SEEN), "no difference seen", "even"));
        tiles.add(tile(count(headlines, Verdict.WORSE), "Cabrank behind", "worse"));
        if (count(headlines, Verdict.TOO_FEW_PAIRS) > 0) {
            tiles.add(tile(count(headlines, Verdict.TOO_FEW_PAIRS), "too few pairs", "none"));
        }
        if (failures > 0) {
            tiles.add(tile(failures, failures == 1 ? "run failed" : "runs failed", "worse"));
        }
        return tiles;
    }

    private static long count(List<Headline> headlines, Verdict verdict) {
        return headlines.stream().mapToLong(one -> one.count(verdict)).sum();
    }

    private static Map<String, Object> tile(long count, String words, String tone) {
        return Map.of("count", count, "words", words, "tone", tone);
    }

    private static Map<String, Object> headline(Headline headline, Forest forest) {
        return Map.of(
                "name", headline.scenario().name(),
                "shows", headline.scenario().shows(),
                "words", headline.text(),
                "duels",
                        headline.duels().stream()
                                .map(duel -> duel(duel, forest))
                                .toList());
    }

    private static Map<String, Object> duel(Duel duel, Forest forest) {
        String tone = tone(duel.verdict());
        return Map.of(
                "cell",
                duel.cell().label(),
                "who",
                duel.own() + " : " + duel.rival(),
                "bar",
                forest.bar(duel.ratio(), duel.noise(), tone),
                "tone",
                tone,
                "verdict",
                ReportFormats.ratio(duel.ratio().median()) + " " + text(duel));
    }

    static String tone(Verdict verdict) {
        return switch (verdict) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case NO_DIFFERENCE_SEEN -> "even";
            case TOO_FEW_PAIRS -> "none";
        };
    }

    private static String text(Duel duel) {
        return switch (duel.verdict()) {
            case BETTER -> "ahead";
            case WORSE -> "behind";
            case NO_DIFFERENCE_SEEN -> "no difference seen";
            case TOO_FEW_PAIRS -> "too few pairs";
        };
    }
}
