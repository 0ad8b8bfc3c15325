package org.cabrank.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.kernel.layout.CmsgHdr;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.kernel.layout.SockExtendedErr;
import org.junit.jupiter.api.Test;

/** Times of sent datagrams as a kernel with a clock in the network device reports them; no device of a test machine has one. */
class ErrorQueueTest {
    private static final int NUMBER = -2;
    private static final int TIMES = 3;
    private static final long ADDRESS = 4096;

    private final List<String> reports = new ArrayList<>();

    /** A kernel whose error queue has one entry: three times of a datagram, and its number. */
    private static final class StampingKernel extends ForwardingKernel {
        private final long[] seconds;
        private ByteBuffer memory;
        private boolean read;

        StampingKernel(long... seconds) {
            super(unexpected());
            this.seconds = seconds;
        }

        private static Kernel unexpected() {
            return (Kernel) Proxy.newProxyInstance(
                    Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (proxy, call, arguments) -> {
                        throw new AssertionError(call.getName());
                    });
        }

        @Override
        public long addressOf(ByteBuffer buffer) {
            memory = buffer;
            return ADDRESS;
        }

        @Override
        public int recvmsg(int fd, long header, int flags) {
            if (read) {
                return -Errno.EAGAIN;
            }
            read = true;
            int at = (int) (memory.getLong(MsgHdr.CONTROL_OFFSET) - header);
            int times = at + CmsgHdr.SIZE_BYTES;
            int timesBytes = CmsgHdr.SIZE_BYTES + TIMES * TimeSpec.SIZE_BYTES;
            begin(at, timesBytes, Sockets.SOL_SOCKET, Sockets.SO_TIMESTAMPING);
            for (int i = 0; i < TIMES; i++) {
                memory.putLong(times + i * TimeSpec.SIZE_BYTES + TimeSpec.SEC_OFFSET, seconds[i]);
                memory.putLong(times + i * TimeSpec.SIZE_BYTES + TimeSpec.NSEC_OFFSET, seconds[i]);
            }
            int error = at + timesBytes;
            begin(error, CmsgHdr.SIZE_BYTES + SockExtendedErr.SIZE_BYTES, Sockets.IPPROTO_IP, Sockets.IP_RECVERR);
            int data = error + CmsgHdr.SIZE_BYTES;
            memory.put(data + SockExtendedErr.ORIGIN_OFFSET, (byte) Sockets.SO_EE_ORIGIN_TIMESTAMPING);
            memory.putInt(data + SockExtendedErr.DATA_OFFSET, NUMBER);
            memory.putLong(MsgHdr.CONTROLLEN_OFFSET, timesBytes + CmsgHdr.SIZE_BYTES + SockExtendedErr.SIZE_BYTES);
            return 0;
        }

        private void begin(int at, int bytes, int level, int type) {
            memory.putLong(at + CmsgHdr.LEN_OFFSET, bytes);
            memory.putInt(at + CmsgHdr.LEVEL_OFFSET, level);
            memory.putInt(at + CmsgHdr.TYPE_OFFSET, type);
        }
    }

    private void read(long... seconds) {
        int result = new ErrorQueue(new StampingKernel(seconds), 0).read(new ErrorQueue.Receiver() {
            @Override
            public boolean mayContinue() {
                return true;
            }

            @Override
            public void error(DatagramError error) {
                reports.add(error.toString());
            }

            @Override
            public void sent(long number, long timeNs) {
                reports.add("sent " + number + " " + timeNs);
            }

            @Override
            public void sentByDevice(long number, long timeNs) {
                reports.add("device " + number + " " + timeNs);
            }
        });
        assertEquals(-Errno.EAGAIN, result);
    }

    @Test
    void theTimeOfTheKernelIsThatOfTheSoftware() {
        read(7, 0, 0);
        assertEquals(List.of("sent 4294967294 7000000007"), reports);
    }

    @Test
    void timeOfTheDeviceIsReportedSeparately() {
        read(0, 0, 9);
        assertEquals(List.of("device 4294967294 9000000009"), reports);
    }
}
