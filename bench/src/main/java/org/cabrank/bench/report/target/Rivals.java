package org.cabrank.bench.report.target;

import java.util.function.Predicate;
import org.cabrank.bench.report.BenchReport.ContenderInfo;

/** Those that a target is about, on either side; {@code name} is for the best of them. */
record Rivals(String name, Predicate<ContenderInfo> who) {}
