package org.cabrank.bench.attach;

import org.cabrank.bench.attach.ServerFindings.Growth;
import org.cabrank.bench.text.Durations;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.Severity;

/**
 * A check of a server, which makes findings about one subject.
 *
 * @param id for programs
 * @param subject for people
 */
record ServerCheck(String id, String subject) {
    Finding ok(String finding) {
        return finding(Severity.OK, finding, "", "");
    }

    Finding note(String finding, String effect, String remedy) {
        return finding(Severity.NOTE, finding, effect, remedy);
    }

    Finding warning(String finding, String effect, String remedy) {
        return finding(Severity.WARNING, finding, effect, remedy);
    }

    Finding problem(String finding, String effect, String remedy) {
        return finding(Severity.PROBLEM, finding, effect, remedy);
    }

    Finding finding(Severity severity, String finding, String effect, String remedy) {
        return new Finding(id, severity, subject, finding, effect, remedy);
    }

    /**
     * A finding about events that should not occur: a warning if some occurred during the observation, a note if only before.
     *
     * @param what the counted events, in the plural
     */
    Finding counted(String what, Growth growth, String effect, String remedy) {
        if (growth.total() == 0) {
            return ok("no " + what);
        }
        String finding = growth.during() + " " + what + " in " + Durations.format(growth.windowNs()) + ", "
                + growth.total() + " since the start";
        return finding(growth.during() > 0 ? Severity.WARNING : Severity.NOTE, finding, effect, remedy);
    }
}
