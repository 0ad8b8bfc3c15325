package org.cabrank.bench.hostile;

import java.util.List;
import java.util.Locale;
import org.cabrank.bench.report.Table;

/** The table that {@code cabrank bench hostile} prints, and what to know when reading it. */
final class HostileTable {
    private static final double NS_PER_US = 1_000;

    private HostileTable() {}

    static String render(HostileReport report) {
        Table table =
                new Table(List.of("backend", "hostile clients", "answers", "p50 us", "p99 us", "p99.9 us", "max us"));
        StringBuilder notes = new StringBuilder();
        for (HostileRun run : report.runs()) {
            if (run.failure() != null) {
                notes.append("Failed: ")
                        .append(run.backend())
                        .append(": ")
                        .append(run.failure())
                        .append('\n');
                continue;
            }
            table.add(row(run.backend(), "none yet", run.before()));
            table.add(row(run.backend(), "present", run.during()));
            notes.append(run.backend())
                    .append(": ")
                    .append(run.hostileMade())
                    .append(" hostile connections, ")
                    .append(run.hostileReset())
                    .append(" of them reset by their client; ")
                    .append(run.hostileEnded())
                    .append(" ended or refused by the server. Server: ")
                    .append(run.server())
                    .append('\n');
            note(notes, run.backend() + " before", run.before());
            note(notes, run.backend() + " during", run.during());
        }
        HostileSettings.Crowd crowd = report.settings().crowd();
        return table.render() + "Well-behaved: " + report.settings().rate() + " requests/s over "
                + report.settings().connections()
                + " connections, each answer compared; latency counts from the time a request was meant to be sent.\n"
                + "Hostile: " + crowd.halfOpen() + " half-open, " + crowd.unread() + " with a byte unread, "
                + crowd.neverRead() + " that never read, " + crowd.dribble() + " that dribble, and "
                + crowd.resetsPerRound() + " resets every 10 ms. The server may use "
                + report.settings().directMemoryMiB() + " MiB of direct memory.\n" + notes;
    }

    private static void note(StringBuilder notes, String when, HostileRun.Client client) {
        if (client.failed()) {
            notes.append("Failed: ")
                    .append(when)
                    .append(": ")
                    .append(client.errors().isEmpty() ? "no request was answered" : client.errors())
                    .append('\n');
        }
    }

    private static List<String> row(String backend, String hostile, HostileRun.Client client) {
        return List.of(
                backend,
                hostile,
                String.format(Locale.ROOT, "%,d", client.answers()),
                us(client.p50Ns()),
                us(client.p99Ns()),
                us(client.p999Ns()),
                us(client.maxNs()));
    }

    private static String us(long ns) {
        return String.format(Locale.ROOT, "%,.0f", ns / NS_PER_US);
    }
}
