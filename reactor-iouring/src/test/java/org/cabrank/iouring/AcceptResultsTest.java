package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;

/** Connections between the kernel's accepts and the threads that serve them. */
class AcceptResultsTest {
    private final AcceptResults results = new AcceptResults();

    @Test
    void resultsComeOutInOrderHoweverManyWait() {
        Random random = new Random(1);
        Queue<Integer> expected = new ArrayDeque<>();
        for (int fd = 0; fd < 10_000; fd++) {
            int result = fd % 7 == 0 ? -Errno.ECONNABORTED : fd;
            results.put(result);
            expected.add(result);
            for (int takes = random.nextInt(3); takes > 0 && !expected.isEmpty(); takes--) {
                assertEquals(expected.remove(), results.poll());
            }
        }
        while (!expected.isEmpty()) {
            assertEquals(expected.remove(), results.poll());
        }
        assertEquals(AcceptResults.NONE, results.poll());
    }

    /** Descriptors beyond the small numbers that the JVM keeps as objects. */
    @Test
    void acceptedConnectionsAllocateNothingHere() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 10_000;
        passThrough(rounds);
        long before = threads.getCurrentThreadAllocatedBytes();
        passThrough(rounds);
        long perResult = (threads.getCurrentThreadAllocatedBytes() - before) / rounds;
        assertEquals(0, perResult);
    }

    private void passThrough(int rounds) {
        for (int fd = 1_000; fd < 1_000 + rounds; fd++) {
            results.put(fd);
            if (results.poll() != fd) {
                throw new AssertionError("another result");
            }
        }
    }
}
