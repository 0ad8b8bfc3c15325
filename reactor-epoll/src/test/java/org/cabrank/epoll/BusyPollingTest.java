package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.kernel.layout.EpollParams;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BusyPollingTest {
    private static final EpollOptions OPTIONS = EpollOptions.DEFAULT
            .withBusyPoll(Duration.ofNanos(50_000))
            .withBusyPollBudget(16)
            .withPreferBusyPoll(true);

    private final FaultyKernel kernel = new FaultyKernel(TestKernel.any());
    private final int before = OpenDescriptors.count();

    @AfterEach
    void nothingIsLeftAndNothingClosedTwice() {
        assertEquals(before, OpenDescriptors.count());
        assertEquals(0, kernel.closedTwice());
    }

    private StreamReactor start(Kernel called, EpollOptions options) throws IOException {
        return StreamReactor.builder()
                .backend(Backend.of(new EpollBackendProvider(called, options)))
                .shards(2)
                .start();
    }

    private static void assumeSupported() throws IOException {
        Kernel any = TestKernel.any();
        int fd = Errno.check("epoll_create1", any.epollCreate1(Epoll.EPOLL_CLOEXEC));
        ByteBuffer params = ByteBuffer.allocateDirect(EpollParams.SIZE_BYTES);
        int result = any.ioctl(fd, Epoll.EPIOCGPARAMS, any.addressOf(params));
        any.close(fd);
        assumeTrue(result == 0, () -> "epoll has no busy polling here: " + Errno.describe(-result));
    }

    /** Notes the parameters of each request that sets them. */
    private static final class Noting extends ForwardingKernel {
        private int epolls;
        private String asked;

        Noting(Kernel next) {
            super(next);
        }

        @Override
        public int ioctl(int fd, long request, long argument) {
            int result = next().ioctl(fd, request, argument);
            ByteBuffer params = next().viewOf(argument, EpollParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
            if (request == Epoll.EPIOCSPARAMS) {
                epolls++;
                asked = params.getInt(0) + " " + params.getShort(4) + " " + params.get(6) + " " + params.get(7);
            }
            return result;
        }
    }

    @Test
    void everyShardPollsAsTheOptionsSayAndServes() throws Exception {
        assumeSupported();
        Noting noting = new Noting(kernel);
        try (StreamReactor reactor = start(noting, OPTIONS)) {
            assertTrue(
                    reactor.backendDescription()
                            .endsWith("busy polling for 50 us, up to 16 packets at a time, preferred to interrupts"),
                    reactor::backendDescription);
            SocketAddress address = reactor.listen(
                            TestReactor.loopback(0),
                            ListenOptions.DEFAULT,
                            () -> (connection, data) -> connection.write(data))
                    .address();
            try (TestClient client = TestClient.connect(address)) {
                client.send("x").expect("x").endOutput().expectEnd();
            }
        }
        assertEquals(2, noting.epolls);
        assertEquals("50 16 1 0", noting.asked);
    }

    @Test
    void nothingIsAskedOfTheKernelWithoutBusyPolling() throws Exception {
        kernel.plan("ioctl", call -> -Errno.ENOTTY);
        try (StreamReactor reactor = start(kernel, EpollOptions.DEFAULT)) {
            assertTrue(!reactor.backendDescription().contains("busy"), reactor::backendDescription);
        }
        assertEquals(0, kernel.calls("ioctl"));
    }

    @ParameterizedTest
    @CsvSource({
        "ENOTTY, 16, Linux has it from 6.9 on",
        "EOPNOTSUPP, 16, CONFIG_NET_RX_BUSY_POLL",
        "EPERM, 65, CAP_NET_ADMIN",
        "EPERM, 64, seccomp",
        "ENOSYS, 16, seccomp",
        "EINVAL, 16, choose smaller ones",
        "EFAULT, 16, leave busy polling out",
    })
    void refusalNamesCauseAndRemedyAndLeavesNothingOpen(String errno, int budget, String remedy) throws Exception {
        int code = (int) Errno.class.getField(errno).get(null);
        for (int nth = 1; nth <= 4; nth++) { // setting and reading, of both shards
            int failing = nth;
            kernel.plan("ioctl", call -> call == failing ? -code : 0); // on a kernel without busy polling, too
            BackendUnavailableException refused = assertThrows(
                    BackendUnavailableException.class,
                    () -> start(echoing(budget), OPTIONS.withBusyPollBudget(budget)));
            assertTrue(refused.getMessage().contains(errno), refused::getMessage);
            assertTrue(refused.getMessage().contains(remedy), refused::getMessage);
            assertTrue(
                    refused.getMessage().contains(nth % 2 == 1 ? "EPIOCSPARAMS" : "EPIOCGPARAMS"), refused::getMessage);
            assertTrue(refused.getMessage().contains("busy polling for 50 us"), refused::getMessage);
        }
    }

    /** Returns a kernel that reads back the parameters of {@link #OPTIONS} with this budget, whatever was set. */
    private Kernel echoing(int budget) {
        return new ForwardingKernel(kernel) {
            @Override
            public int ioctl(int fd, long request, long argument) {
                int result = next().ioctl(fd, request, argument);
                if (result == 0 && request == Epoll.EPIOCGPARAMS) {
                    ByteBuffer params =
                            next().viewOf(argument, EpollParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
                    params.putInt(0, 50).putShort(4, (short) budget).put(6, (byte) 1);
                }
                return result;
            }
        };
    }

    @Test
    void parametersThatTheKernelDoesNotKeepAreRefused() {
        kernel.plan("ioctl", call -> 0);
        BackendUnavailableException refused =
                assertThrows(BackendUnavailableException.class, () -> start(kernel, OPTIONS));
        assertTrue(refused.getMessage().contains("and has no busy polling"), refused::getMessage);
        refused = assertThrows(BackendUnavailableException.class, () -> start(echoing(7), OPTIONS));
        assertTrue(
                refused.getMessage().contains("and has busy polling for 50 us, up to 7 packets"), refused::getMessage);
    }

    @Test
    void handleSetTakesOptions() throws Exception {
        assumeSupported();
        new EpollHandleSet(kernel, Deactivation.CLAIM, OPTIONS).close();
        assertEquals(2, kernel.calls("ioctl"));
    }

    @Test
    void optionsWithoutAnEffectAndOutOfRangeAreRefused() {
        assertSays(
                "busyPoll must be zero, or from PT0.000001S to PT1S",
                () -> OPTIONS.withBusyPoll(Duration.ofNanos(999)));
        assertSays("busyPoll must be zero, or from", () -> OPTIONS.withBusyPoll(Duration.ofSeconds(2)));
        assertSays("whole number of microseconds", () -> OPTIONS.withBusyPoll(Duration.ofNanos(1_500)));
        assertSays("busyPollBudget must be from 1 to 65535, but is 0", () -> OPTIONS.withBusyPollBudget(0));
        assertSays("busyPollBudget must be from 1 to 65535", () -> OPTIONS.withBusyPollBudget(65_536));
        assertSays("busyPollBudget needs a busyPoll", () -> EpollOptions.DEFAULT.withBusyPollBudget(9));
        assertSays("preferBusyPoll needs a busyPoll", () -> EpollOptions.DEFAULT.withPreferBusyPoll(true));
        assertEquals(EpollOptions.DEFAULT, OPTIONS.withBusyPoll(Duration.ZERO));
    }

    private static void assertSays(String words, Runnable action) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, action::run);
        assertTrue(refused.getMessage().contains(words), refused::getMessage);
    }
}
