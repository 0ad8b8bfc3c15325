package org.cabrank.pinning.doctor;

import java.util.Locale;

/** Severity of a finding for a latency-sensitive service, in descending order. */
public enum Severity {
    /** A request of the user cannot be fulfilled. */
    PROBLEM,
    /** Latency or throughput is worse than necessary. */
    WARNING,
    /** An improvement is available. */
    NOTE,
    /** The check was not possible, because its files are missing or were not requested. */
    UNKNOWN,
    /** Nothing to change. */
    OK;

    /** Name in lower case, for text and JSON output. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
