package org.cabrank.bench.run;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.cabrank.bench.report.RunRecord;

/** Prints failures. Prints each log only once, because a contender may fail in the same way in every round. */
final class Failures {

    private final Consumer<String> say;
    private final Set<String> logsShown = new HashSet<>();

    Failures(Consumer<String> say) {
        this.say = say;
    }

    void report(RunRecord failed, String where) {
        say.accept(failed.contender() + " failed in " + where + ": " + failed.failure());
        if (!failed.log().isEmpty() && logsShown.add(failed.contender() + failed.failure())) {
            say.accept(failed.log().indent(4).stripTrailing());
        }
    }
}
