package org.cabrank.pinning.doctor;

/** Check of one property of a machine, a process, a JVM or a server. The methods make its findings. */
public record Check(String id, String subject) {
    static final String LOOK_ON_THE_HOST = "look on the host of this container or virtual machine";

    public Finding ok(String finding) {
        return finding(Severity.OK, finding, "", "");
    }

    /** @param remedy action that makes the check possible */
    Finding unknown(String finding, String remedy) {
        return finding(Severity.UNKNOWN, finding, "", remedy);
    }

    Finding notShown(String finding) {
        return unknown(finding, LOOK_ON_THE_HOST);
    }

    public Finding note(String finding, String effect, String remedy) {
        return finding(Severity.NOTE, finding, effect, remedy);
    }

    public Finding warning(String finding, String effect, String remedy) {
        return finding(Severity.WARNING, finding, effect, remedy);
    }

    public Finding problem(String finding, String effect, String remedy) {
        return finding(Severity.PROBLEM, finding, effect, remedy);
    }

    public Finding finding(Severity severity, String finding, String effect, String remedy) {
        return new Finding(id, severity, subject, finding, effect, remedy);
    }
}
