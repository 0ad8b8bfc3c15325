package org.cabrank.bench.jmh;

class BenchmarkArchitectureTest extends BenchmarkArchitectureContract {
    BenchmarkArchitectureTest() {
        super(Microbenchmarks.class);
    }
}
