package org.cabrank.bench.load.datagram;

import java.nio.ByteBuffer;

/**
 * Content of a datagram, little-endian. The flow and the number show lost, reordered and repeated answers. The due time is a
 * time of CLOCK_MONOTONIC, so another process of the host can compare it with its clock. The fill is the same in all datagrams of a run.
 *
 * <pre>
 * 0     4      8        16       24       size
 * | run | flow | number | due ns | fill ... |
 * </pre>
 */
public final class DatagramContent {
    public static final int BYTES_MIN = 24;

    static final int RUN_OFFSET = 0;
    static final int FLOW_OFFSET = 4;
    static final int NUMBER_OFFSET = 8;
    static final int DUE_OFFSET = 16;

    private DatagramContent() {}

    static void writeFill(ByteBuffer into, int at, int sizeBytes) {
        for (int i = BYTES_MIN; i < sizeBytes; i++) {
            into.put(at + i, (byte) (i * 31 + (i >> 8)));
        }
    }

    static void write(ByteBuffer into, int at, int run, int flow, long number, long dueNs) {
        into.putInt(at + RUN_OFFSET, run);
        into.putInt(at + FLOW_OFFSET, flow);
        into.putLong(at + NUMBER_OFFSET, number);
        into.putLong(at + DUE_OFFSET, dueNs);
    }

    public static int run(ByteBuffer from, int at) {
        return from.getInt(at + RUN_OFFSET);
    }

    public static int flow(ByteBuffer from, int at) {
        return from.getInt(at + FLOW_OFFSET);
    }

    public static long number(ByteBuffer from, int at) {
        return from.getLong(at + NUMBER_OFFSET);
    }

    public static long dueNs(ByteBuffer from, int at) {
        return from.getLong(at + DUE_OFFSET);
    }
}
