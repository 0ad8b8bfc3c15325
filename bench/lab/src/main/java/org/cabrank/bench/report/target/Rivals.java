package org.cabrank.bench.report.target;

import java.util.function.Predicate;
import org.cabrank.bench.report.BenchReport.ContenderInfo;

/** Contenders on one side of a target; {@code name} stands for the best of them. */
record Rivals(String name, Predicate<ContenderInfo> who) {}
