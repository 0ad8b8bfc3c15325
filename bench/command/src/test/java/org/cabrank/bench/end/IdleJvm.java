package org.cabrank.bench.end;

import java.io.IOException;

/** A JVM without Cabrank: runs until its standard input ends. */
final class IdleJvm {
    static final String READY = "ready";

    private IdleJvm() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println(READY);
        System.in.read();
    }
}
