package org.cabrank.bench.measure;

/** An event that perf_event_open(2) counts for a process's threads. */
public enum CountedEvent {
    SYSTEM_CALLS,
    INSTRUCTIONS,
    CYCLES,
    CACHE_MISSES
}
