package org.cabrank.bench.contender;

import java.util.ArrayList;
import java.util.List;

/** Flags that the Netty project recommends for throughput. Netty's entries in public benchmarks use them. */
public final class NettyJvmFlags {

    /** First JDK that has the flag. From JDK 24 on, Netty uses Unsafe only if the flag is set. Without Unsafe, Netty is slower. */
    private static final int UNSAFE_ASKS_FOR_A_FLAG = 23;

    private NettyJvmFlags() {}

    public static List<String> of(int feature) {
        List<String> flags = new ArrayList<>(List.of(
                "-Dio.netty.leakDetection.level=disabled",
                "-Dio.netty.buffer.checkBounds=false",
                "-Dio.netty.buffer.checkAccessible=false",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
        if (feature >= UNSAFE_ASKS_FOR_A_FLAG) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        return flags;
    }
}
