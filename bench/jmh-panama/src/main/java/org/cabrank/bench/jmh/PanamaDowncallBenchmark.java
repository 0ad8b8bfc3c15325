package org.cabrank.bench.jmh;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** {@link KernelDowncalls} through the FFM API. */
@State(Scope.Thread)
public class PanamaDowncallBenchmark extends KernelDowncalls {
    public PanamaDowncallBenchmark() {
        super("panama");
    }
}
