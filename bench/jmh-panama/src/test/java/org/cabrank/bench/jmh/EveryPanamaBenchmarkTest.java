package org.cabrank.bench.jmh;

class EveryPanamaBenchmarkTest extends EveryBenchmarkContract {
    EveryPanamaBenchmarkTest() {
        super("\\.Panama|\\.kernel\\.panama\\.");
    }
}
