package org.cabrank.bench.measure;

/** What perf_event_open(2) counts of a process's threads. */
public enum CountedEvent {
    SYSTEM_CALLS,
    INSTRUCTIONS,
    CYCLES,
    CACHE_MISSES
}
