/**
 * Experiments of {@code cabrank bench}, one class each: its variants, its measurement and its columns. All take their turns
 * in interleaved rounds ({@link org.cabrank.bench.experiment.VariantsExperiment}) and decide by one rule
 * ({@link org.cabrank.bench.experiment.Comparison}).
 */
package org.cabrank.bench.experiment;
