package org.cabrank.bench.jmh;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** {@link KernelDowncalls} through JNA: what a JDK of 17 to 21 has. */
@State(Scope.Thread)
public class JnaDowncallBenchmark extends KernelDowncalls {
    public JnaDowncallBenchmark() {
        super("jna");
    }
}
