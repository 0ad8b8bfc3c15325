package org.cabrank.affinity.reservation;

import java.util.Objects;

/**
 * Process that has reserved a CPU, read from the CPU's lock file.
 *
 * @param pid id in the PID namespace of the process, or 0 if the lock file contains no id
 * @param name name of the process's service
 */
public record Holder(long pid, String name) {
    static final int NAME_LENGTH_MAX = 120;

    public Holder {
        Objects.requireNonNull(name);
    }

    static Holder thisProcess(String name) {
        return new Holder(ProcessHandle.current().pid(), printable(name));
    }

    /** Parses the text of {@link #line}, or any other text, because anybody may write to these files. */
    static Holder parse(String text) {
        String line = printable(text);
        String digits = line.replaceFirst("\\D.*", "");
        boolean hasPid = !digits.isEmpty() && digits.length() <= 10;
        String name = hasPid ? line.substring(digits.length()).strip() : line.strip();
        return new Holder(hasPid ? Long.parseLong(digits) : 0, name);
    }

    private static String printable(String text) {
        String line = text.replaceFirst("\\R(?s:.*)", "").replaceAll("\\P{Print}", "?");
        return line.length() > NAME_LENGTH_MAX ? line.substring(0, NAME_LENGTH_MAX) : line;
    }

    String line() {
        return pid + " " + name + "\n";
    }

    /** Text such as {@code process 1234 (cabrank serve echo)}. */
    @Override
    public String toString() {
        return (pid == 0 ? "a process" : "process " + pid) + (name.isEmpty() ? "" : " (" + name + ")");
    }
}
