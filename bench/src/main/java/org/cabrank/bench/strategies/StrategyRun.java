package org.cabrank.bench.strategies;

import org.cabrank.bench.report.RunRecord;

/** The raw numbers of one strategy in one cell and round. */
public record StrategyRun(Cell cell, Strategy strategy, RunRecord run) {}
