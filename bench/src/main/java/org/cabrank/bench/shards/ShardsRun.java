package org.cabrank.bench.shards;

import org.cabrank.bench.report.RunRecord;

/** The raw numbers of one arrangement in one round. */
public record ShardsRun(Arrangement arrangement, RunRecord run) {}
