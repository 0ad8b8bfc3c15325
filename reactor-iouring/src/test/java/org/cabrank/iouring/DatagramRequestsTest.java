package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.DatagramSlot;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Completions of the receive of a datagram socket. Nobody watches the set, so nothing goes to the kernel: the test plays the watcher. */
class DatagramRequestsTest {
    private static final int BYTES_MAX = 100;

    private final Kernel kernel = TestKernel.any();
    private final DatagramSlot[] into = new DatagramSlot[4];
    private RingHandleSet set;
    private int fd;

    @BeforeEach
    void open() throws IOException {
        try {
            set = new RingHandleSet(kernel, Deactivation.CLAIM, RingOptions.DEFAULT.withDatagramBuffers(4));
        } catch (BackendUnavailableException refused) {
            Assumptions.abort(refused.getMessage());
        }
        fd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC));
    }

    @AfterEach
    void close() {
        if (set != null) {
            set.close();
            kernel.close(fd);
        }
    }

    private DatagramRequests requests() {
        RingHandle handle = (RingHandle) set.newDatagramHandle(fd, BYTES_MAX, false, (own, ready) -> {}, false);
        DatagramRequests requests = (DatagramRequests) handle.requests();
        set.table().add(requests);
        requests.arm();
        return requests;
    }

    private static int more(int buffer) {
        return IoUring.IORING_CQE_F_BUFFER | IoUring.IORING_CQE_F_MORE | buffer << IoUring.IORING_CQE_BUFFER_SHIFT;
    }

    private static int receive(DatagramRequests requests, int result, int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            requests.begin(); // stands for the request that the quiet set has not armed
        }
        return requests.completed(HandleRequests.RECV, result, flags);
    }

    @Test
    void failureComesOnceBehindTheDatagramsBefore() {
        DatagramRequests requests = requests();
        assertEquals(Ready.READ, receive(requests, DatagramBuffers.PAYLOAD_OFFSET, more(2)));
        assertEquals(Ready.READ, receive(requests, -Errno.ECONNREFUSED, 0));
        assertEquals(1, requests.take(into));
        assertEquals(2, into[0].number());
        assertEquals(-Errno.ECONNREFUSED, requests.take(into));
        assertEquals(0, requests.take(into));
        requests.giveBack(into[0]);
        assertEquals(4, set.datagrams().of(BYTES_MAX).free());
    }

    @Test
    void receiveWithoutABufferIsNoFailureAndGivesABufferWithoutADatagramBack() {
        DatagramRequests requests = requests();
        assertEquals(0, receive(requests, -Errno.ENOBUFS, 0));
        assertEquals(0, receive(requests, -Errno.ECANCELED, 0));
        assertEquals(0, receive(requests, 1, more(3)), "no header");
        assertEquals(0, requests.take(into));
        assertEquals(4, set.datagrams().of(BYTES_MAX).free());
        assertTrue(requests.isActive());
    }

    @Test
    void refusalOfTheFirstReceiveHasTheSocketPolled() {
        DatagramRequests requests = requests();
        try (LogCapture log = new LogCapture(RingHandleSet.class)) {
            assertEquals(0, receive(requests, -Errno.EINVAL, 0));
            assertEquals(1, log.warnings().size());
        }
        assertFalse(requests.isActive());
    }

    @Test
    void invalidArgumentAfterADatagramIsAFailure() {
        DatagramRequests requests = requests();
        receive(requests, DatagramBuffers.PAYLOAD_OFFSET, more(0));
        assertEquals(Ready.READ, receive(requests, -Errno.EINVAL, 0));
        assertTrue(requests.isActive());
        assertEquals(1, requests.take(into));
        assertEquals(-Errno.EINVAL, requests.take(into));
    }

    @Test
    void datagramThatComesAfterTheCloseGivesItsBufferBack() {
        DatagramRequests requests = requests();
        receive(requests, DatagramBuffers.PAYLOAD_OFFSET, more(1));
        requests.begin();
        requests.close();
        assertEquals(0, requests.completed(HandleRequests.RECV, DatagramBuffers.PAYLOAD_OFFSET, more(2)));
        assertEquals(3, set.datagrams().of(BYTES_MAX).free());
        requests.completed(HandleRequests.RECV, -Errno.ECANCELED, 0);
        assertEquals(4, set.datagrams().of(BYTES_MAX).free(), "what waited is released with the last completion");
    }

    @Test
    void buffersAreSharedBySizeAndFurtherSizesHaveNone() {
        DatagramGroups groups = set.datagrams();
        for (int size = 1; size <= DatagramGroups.SIZES_MAX; size++) {
            assertNotNull(groups.of(size));
            assertSame(groups.of(size), groups.of(size));
        }
        try (LogCapture log = new LogCapture(RingHandleSet.class)) {
            assertNull(groups.of(DatagramGroups.SIZES_MAX + 1));
            assertNull(groups.of(DatagramGroups.SIZES_MAX + 2));
            assertEquals(1, log.warnings().size());
        }
    }

    @Test
    void socketsThatReadTheirErrorsArePolled() {
        RingHandle handle = (RingHandle) set.newDatagramHandle(fd, BYTES_MAX, true, (own, ready) -> {}, false);
        assertFalse(handle.requests() instanceof DatagramInput);
    }
}
