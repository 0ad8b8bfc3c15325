package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A connection that the other shard cannot have stays where it is, and goes on. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class MoveRefusedTest extends StreamContract {
    private static final AtomicBoolean REFUSING = new AtomicBoolean();
    private static final AtomicBoolean FAILING = new AtomicBoolean();

    private static final Kernel KERNEL = new ForwardingKernel(TestKernel.any()) {
        @Override
        public int epollCtl(int epollFd, int operation, int fd, long event) {
            if (operation == Epoll.EPOLL_CTL_DEL && FAILING.get()) {
                throw new AssertionError("half a move");
            }
            return operation == Epoll.EPOLL_CTL_ADD && REFUSING.get()
                    ? -Errno.ENOSPC
                    : super.epollCtl(epollFd, operation, fd, event);
        }
    };

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        return EpollModes.over(() -> KERNEL).map(mode -> mode.withShards(2, AcceptMode.DISPATCH));
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    @Test
    void refusedMoveLeavesTheConnectionWhereItIs() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("x").expect("x");
        Connection connection = recorder.connection();
        int before = connection.shard();
        int handles = reactor.handleCount();
        REFUSING.set(true);
        try {
            CompletableFuture<Boolean> moved = connection.moveTo(1 - before);
            ExecutionException refused =
                    assertThrows(ExecutionException.class, () -> moved.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertInstanceOf(IOException.class, refused.getCause());
            assertTrue(refused.getMessage().contains("ENOSPC"), refused::getMessage);
        } finally {
            REFUSING.set(false);
        }
        assertEquals(before, connection.shard());
        assertEquals(handles, reactor.handleCount());
        client.send("y").expect("y");
        assertTrue(connection.moveTo(1 - before).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        client.send("z").expect("z").endOutput().expectEnd();
        assertEquals(0, recorder.overlaps());
    }

    @Test
    void moveThatFailsHalfwayEndsTheConnection() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestReactor reactor = start();
        int handles = reactor.handleCount();
        TestClient client = client(reactor.listen(recorder)).send("x").expect("x");
        int listening = reactor.handleCount() - 1;
        Connection connection = recorder.connection();
        FAILING.set(true);
        try {
            CompletableFuture<Boolean> moved = connection.moveTo(1 - connection.shard());
            ExecutionException failed =
                    assertThrows(ExecutionException.class, () -> moved.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertInstanceOf(AssertionError.class, failed.getCause());
            client.expectEnd();
        } finally {
            FAILING.set(false);
        }
        Await.until("no handle of it is left", () -> reactor.handleCount() == listening);
        assertTrue(listening > handles, "the listeners are");
    }
}
