package org.cabrank.pinning.doctor;

/**
 * Result of one check.
 *
 * @param id stable identifier for programs
 * @param subject the checked property, in one or two words
 * @param finding the observed state
 * @param effect consequence for the latency of a service; empty if the severity is ok or unknown
 * @param remedy command or setting that improves the state; empty if there is nothing to do
 */
public record Finding(String id, Severity severity, String subject, String finding, String effect, String remedy) {
    static Finding ok(String id, String subject, String finding) {
        return new Finding(id, Severity.OK, subject, finding, "", "");
    }

    /** Remedy for a file of the kernel that is missing: containers hide some. */
    static final String LOOK_ON_THE_HOST = "look on the host of this container or virtual machine";

    /** @param remedy action that lets the check look */
    static Finding unknown(String id, String subject, String finding, String remedy) {
        return new Finding(id, Severity.UNKNOWN, subject, finding, "", remedy);
    }

    static Finding note(String id, String subject, String finding, String effect, String remedy) {
        return new Finding(id, Severity.NOTE, subject, finding, effect, remedy);
    }

    static Finding warning(String id, String subject, String finding, String effect, String remedy) {
        return new Finding(id, Severity.WARNING, subject, finding, effect, remedy);
    }
}
