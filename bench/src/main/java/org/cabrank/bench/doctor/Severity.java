package org.cabrank.bench.doctor;

import java.util.Locale;

/** How much a finding matters to a service that shall answer fast; the gravest first. */
public enum Severity {
    /** Something that was asked for cannot work. */
    PROBLEM,
    /** Latency or throughput suffers. */
    WARNING,
    /** Something better is to be had, or something was not examined. */
    NOTE,
    /** As it should be. */
    OK;

    /** In lower case, for people and programs. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
