package org.cabrank.bench.jmh;

class EveryBenchmarkTest extends EveryBenchmarkContract {
    EveryBenchmarkTest() {
        super(".*");
    }
}
