package org.cabrank.bench.run;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.cabrank.bench.report.RunRecord;

/**
 * Reports failures to the user, and shows each log once, because a contender that cannot start fails alike in every round.
 */
final class Failures {

    private final Consumer<String> say;
    private final Set<String> logsShown = new HashSet<>();

    /** {@code say} prints a line. */
    Failures(Consumer<String> say) {
        this.say = say;
    }

    /** {@code where} follows the contender's name. */
    void report(RunRecord failed, String where) {
        say.accept(failed.contender() + " failed in " + where + ": " + failed.failure());
        if (!failed.log().isEmpty() && logsShown.add(failed.contender() + failed.failure())) {
            say.accept(failed.log().indent(4).stripTrailing());
        }
    }
}
