package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that wait for the watcher are polled once each, in the order of their arrival. */
class RequestsToArmTest {
    private static final int THREADS = 4;
    private static final int EACH = 5_000;

    private final RequestsToArm arrivals = new RequestsToArm();
    private BufferedSet opened;

    @BeforeEach
    void open() throws Exception {
        opened = BufferedSet.open(TestKernel.any());
    }

    @AfterEach
    void close() {
        opened.close();
    }

    private HandleRequests requests() {
        return new UnservedRequests(opened.set());
    }

    @Test
    void oldestIsPolledFirstWhileOthersArrive() {
        HandleRequests first = requests();
        HandleRequests second = requests();
        HandleRequests third = requests();
        assertNull(arrivals.poll());
        arrivals.add(first);
        arrivals.add(second);
        assertSame(first, arrivals.poll());
        arrivals.add(third);
        assertSame(second, arrivals.poll());
        assertSame(third, arrivals.poll());
        assertNull(arrivals.poll());
        arrivals.add(first);
        assertSame(first, arrivals.poll());
        assertNull(arrivals.poll());
    }

    @Test
    void nothingIsLostOrPolledTwiceAndEachThreadsArrivalsKeepTheirOrder() throws Exception {
        List<List<HandleRequests>> added = new ArrayList<>();
        List<TestThread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            List<HandleRequests> own = new ArrayList<>();
            for (int j = 0; j < EACH; j++) {
                own.add(requests());
            }
            added.add(own);
        }
        for (List<HandleRequests> own : added) {
            threads.add(TestThread.start("adding", () -> own.forEach(arrivals::add)));
        }
        int[] next = new int[THREADS];
        for (int polled = 0; polled < THREADS * EACH; ) {
            HandleRequests requests = arrivals.poll();
            if (requests == null) {
                Thread.onSpinWait();
                continue;
            }
            int owner = 0;
            while (next[owner] == EACH || added.get(owner).get(next[owner]) != requests) {
                owner++;
            }
            next[owner]++;
            polled++;
        }
        for (TestThread thread : threads) {
            thread.join();
        }
        assertNull(arrivals.poll());
        for (int count : next) {
            assertEquals(EACH, count);
        }
    }
}
