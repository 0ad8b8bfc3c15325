package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.Target.Outcome;
import org.cabrank.bench.report.statistics.Verdict;
import org.cabrank.bench.report.summary.CostSentence;
import org.cabrank.bench.report.summary.Duel;
import org.cabrank.bench.report.summary.Headline;
import org.cabrank.bench.report.summary.NoiseFloor;
import org.cabrank.bench.report.summary.ReportFormats;

/** The first minute: who is ahead where, what a request costs, which targets were missed. */
final class Summary {

    private Summary() {}

    static String render(BenchReport report) {
        List<Headline> headlines = Headline.of(report);
        StringBuilder html = new StringBuilder("<section id=\"summary\" class=\"card first\"><h2>In a minute</h2>\n");
        html.append(tally(headlines, report));
        html.append("<ul class=\"facts\">");
        List<String> facts = new ArrayList<>();
        CostSentence.of(report).ifPresent(facts::add);
        facts.add(NoiseFloor.of(report).words());
        facts.forEach(fact -> html.append("<li>").append(Html.text(fact)).append("</li>"));
        html.append("</ul>\n");
        if (!headlines.isEmpty()) {
            Forest forest = Forest.of(headlines.stream()
                    .flatMap(headline -> headline.duels().stream())
                    .map(Duel::ratio)
                    .toList());
            html.append("<div class=\"duels\">\n");
            headlines.forEach(headline -> html.append(headline(headline, forest)));
            html.append(
                    "</div>\n<p class=\"hint\">The best of Cabrank's modes against the best of the Java peers in each cell;"
                            + " ratio of requests/s, or of p99.9 where the rate is given, with its 95 % interval, on a"
                            + " logarithmic scale " + forest.scale() + ". The shaded band is"
                            + " what the baseline differs from itself. Both were chosen after the fact, and of twenty intervals one"
                            + " may miss: read cells together.</p>\n");
        }
        return html + "</section>\n" + targets(report.targets());
    }

    private static String tally(List<Headline> headlines, BenchReport report) {
        long all = headlines.stream().mapToLong(one -> one.duels().size()).sum();
        if (all == 0) {
            return "<p class=\"lead\">Cabrank and a Java peer were not measured side by side in any cell of this run.</p>\n";
        }
        long failures = report.runs().stream().filter(run -> run.failed()).count();
        long missed = report.targets().stream()
                .filter(target -> target.outcome() == Outcome.MISSED)
                .count();
        return "<div class=\"tally\">" + tile(count(headlines, Verdict.BETTER), "Cabrank ahead", "better")
                + tile(count(headlines, Verdict.NO_DIFFERENCE_SEEN), "no difference seen", "even")
                + tile(count(headlines, Verdict.WORSE), "Cabrank behind", "worse")
                + (count(headlines, Verdict.TOO_FEW_PAIRS) > 0
                        ? tile(count(headlines, Verdict.TOO_FEW_PAIRS), "too few pairs to tell", "none")
                        : "")
                + tile(missed, missed == 1 ? "target missed" : "targets missed", missed > 0 ? "worse" : "better")
                + (failures > 0 ? tile(failures, failures == 1 ? "run failed" : "runs failed", "worse") : "")
                + "</div>\n";
    }

    private static long count(List<Headline> headlines, Verdict verdict) {
        return headlines.stream().mapToLong(one -> one.count(verdict)).sum();
    }

    private static String tile(long count, String words, String tone) {
        return "<div class=\"tile " + tone + "\"><b>" + count + "</b><span>" + words + "</span></div>";
    }

    private static String headline(Headline headline, Forest forest) {
        StringBuilder html = new StringBuilder("<article class=\"duel\"><h3>")
                .append(Html.text(headline.scenario().name()))
                .append("</h3><p class=\"shows\">")
                .append(Html.text(headline.scenario().shows()))
                .append("</p><p>")
                .append(Html.text(headline.words()))
                .append("</p>\n<ul class=\"forest\">\n");
        for (Duel duel : headline.duels()) {
            html.append("<li><span class=\"who\"><b>")
                    .append(Html.text(duel.cell().label()))
                    .append("</b> ")
                    .append(Html.text(duel.own() + " : " + duel.rival()))
                    .append("</span>")
                    .append(forest.bar(duel.ratio(), duel.noise(), tone(duel.verdict())))
                    .append("<span class=\"verdict ")
                    .append(tone(duel.verdict()))
                    .append("\">")
                    .append(Html.text(ReportFormats.ratio(duel.ratio().median()) + " " + words(duel)))
                    .append("</span></li>\n");
        }
        return html.append("</ul></article>\n").toString();
    }

    static String tone(Verdict verdict) {
        return switch (verdict) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case NO_DIFFERENCE_SEEN -> "even";
            case TOO_FEW_PAIRS -> "none";
        };
    }

    private static String words(Duel duel) {
        return switch (duel.verdict()) {
            case BETTER -> "ahead";
            case WORSE -> "behind";
            case NO_DIFFERENCE_SEEN -> "no difference seen";
            case TOO_FEW_PAIRS -> "too few pairs";
        };
    }

    private static String targets(List<Target> targets) {
        if (targets.isEmpty()) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<section id=\"targets\" class=\"card\"><h2>Targets</h2>\n<ul class=\"targets\">\n");
        for (Outcome outcome : List.of(Outcome.MISSED, Outcome.REACHED, Outcome.NOT_MEASURED)) {
            targets.stream()
                    .filter(target -> target.outcome() == outcome)
                    .forEach(target -> html.append(target(target)));
        }
        return html.append("</ul></section>\n").toString();
    }

    private static String target(Target target) {
        String word = switch (target.outcome()) {
            case MISSED -> "<span class=\"badge worse\">missed</span>";
            case REACHED -> "<span class=\"badge better\">reached</span>";
            case NOT_MEASURED -> "<span class=\"badge none\">not measured</span>";
        };
        return "<li>" + word + "<div><b>" + Html.text(target.name())
                + (Double.isNaN(target.ratio()) ? "" : " " + ReportFormats.ratio(target.ratio())) + "</b><p>"
                + Html.text(target.bar()) + "</p><p class=\"hint\">" + Html.text(target.words()) + "</p></div></li>\n";
    }
}
