package org.cabrank.bench.jmh;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** {@link KernelDowncalls} through JNA, which JDK 17 to 21 use. */
@State(Scope.Thread)
public class JnaDowncallBenchmark extends KernelDowncalls {
    public JnaDowncallBenchmark() {
        super("jna");
    }
}
