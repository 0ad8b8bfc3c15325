package org.cabrank.bench.jmh;

class PanamaBenchmarkArchitectureTest extends BenchmarkArchitectureContract {
    PanamaBenchmarkArchitectureTest() {
        super(PanamaDowncallBenchmark.class);
    }
}
