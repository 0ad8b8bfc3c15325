package org.cabrank.bench.doctor;

/**
 * One thing that was looked at.
 *
 * @param id for programs: does not change
 * @param subject what was looked at, in a word or two
 * @param finding what is the case
 * @param effect what that means for a service that shall answer fast; empty where all is well
 * @param remedy what to do, as exactly as can be; empty where there is nothing to do
 */
public record Finding(String id, Severity severity, String subject, String finding, String effect, String remedy) {
    static Finding ok(String id, String subject, String finding) {
        return new Finding(id, Severity.OK, subject, finding, "", "");
    }

    static Finding note(String id, String subject, String finding, String effect, String remedy) {
        return new Finding(id, Severity.NOTE, subject, finding, effect, remedy);
    }

    static Finding warning(String id, String subject, String finding, String effect, String remedy) {
        return new Finding(id, Severity.WARNING, subject, finding, effect, remedy);
    }
}
