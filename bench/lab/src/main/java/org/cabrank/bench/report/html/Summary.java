package org.cabrank.bench.report.html;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.statistics.Verdict;
import org.cabrank.bench.report.summary.BackendSentences;
import org.cabrank.bench.report.summary.Duel;
import org.cabrank.bench.report.summary.Headline;
import org.cabrank.bench.report.summary.InShort;
import org.cabrank.bench.report.summary.ReportFormats;

final class Summary {

    private Summary() {}

    static Map<String, Object> values(BenchReport report) {
        List<Headline> headlines = Headline.of(report);
        List<String> facts = InShort.facts(report, headlines);
        Forest forest = Forest.of(headlines.stream()
                .flatMap(headline -> headline.duels().stream())
                .map(Duel::ratio)
                .toList());
        Map<String, Object> values = new HashMap<>();
        List<String> answer = BackendSentences.of(report);
        values.put("headline", answer.isEmpty() ? "Servers compared on this machine" : answer.get(0));
        values.put("answer", answer.isEmpty() ? answer : answer.subList(1, answer.size()));
        values.put("compared", !headlines.isEmpty());
        values.put("facts", facts);
        values.put("scale", headlines.isEmpty() ? "" : forest.scale());
        values.put(
                "headlines",
                headlines.stream().map(headline -> headline(headline, forest)).toList());
        return values;
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
                ReportFormats.ratio(duel.ratio().median()) + " "
                        + duel.verdict().word());
    }

    private static String tone(Verdict verdict) {
        return switch (verdict) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case NO_DIFFERENCE_SEEN -> "even";
            case CANNOT_TELL, TOO_FEW_PAIRS -> "none";
        };
    }
}
