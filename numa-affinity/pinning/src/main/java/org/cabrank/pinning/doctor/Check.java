package org.cabrank.pinning.doctor;

/**
 * Check of one property of the machine, the process or the JVM: an entry of the table of {@link Doctor}.
 *
 * @param id stable identifier for programs
 * @param subject the checked property, in one or two words
 */
record Check(String id, String subject, Look look) {
    /** Remedy for a file of the kernel that is missing: containers hide some. */
    static final String LOOK_ON_THE_HOST = "look on the host of this container or virtual machine";

    /** Examines the property. */
    @FunctionalInterface
    interface Look {
        Finding find(Check check, CheckContext context);
    }

    /** A check of the CPUs that a plan pins threads to. */
    static Check ofPlan(String id, String subject, Look look) {
        return new Check(
                id,
                subject,
                (check, context) -> context.isPinned()
                        ? look.find(check, context)
                        : check.unknown(
                                "not examined without a placement", "cabrank doctor --placement cores --shards N"));
    }

    Finding ok(String finding) {
        return finding(Severity.OK, finding, "", "");
    }

    /** @param remedy action that lets the check look */
    Finding unknown(String finding, String remedy) {
        return finding(Severity.UNKNOWN, finding, "", remedy);
    }

    Finding note(String finding, String effect, String remedy) {
        return finding(Severity.NOTE, finding, effect, remedy);
    }

    Finding warning(String finding, String effect, String remedy) {
        return finding(Severity.WARNING, finding, effect, remedy);
    }

    Finding finding(Severity severity, String finding, String effect, String remedy) {
        return new Finding(id, severity, subject, finding, effect, remedy);
    }
}
