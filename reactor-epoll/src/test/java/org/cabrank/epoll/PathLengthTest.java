package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.junit.jupiter.api.Test;

/** The calls between the leader's wait and a handler, and between the handler and the system call that sends. */
class PathLengthTest extends StreamContract {
    private static final int FRAMES_MAX = 10;
    private static final int CLASSES_MAX = 8;

    private final AtomicReference<List<String>> received = new AtomicReference<>(List.of());
    private final AtomicReference<List<String>> sent = new AtomicReference<>(List.of());

    private final class StackKernel extends ForwardingKernel {
        StackKernel() {
            super(TestKernel.any());
        }

        @Override
        public int send(int fd, long address, int bytes, int flags) {
            sent.set(stack());
            return super.send(fd, address, bytes, flags);
        }
    }

    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(new StackKernel(), 2);
    }

    /** The calls above the caller, the innermost first, up to the loop in which the leader waits. */
    private static List<String> stack() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(2)
                        .takeWhile(frame -> !frame.getClassName().endsWith("DeferredTurn"))
                        .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "." + frame.getMethodName())
                        .toList());
    }

    @Test
    void pathFromWaitToHandlerAndFromHandlerToSystemCallIsShort() throws Exception {
        client(start().listen((connection, data) -> {
                    received.set(stack());
                    connection.write(data);
                }))
                .send("x")
                .expect("x");
        assertShort(received.get());
        assertShort(sent.get());
    }

    private static void assertShort(List<String> frames) {
        Stream<String> classes =
                frames.stream().map(frame -> frame.replaceAll("\\..*", "")).distinct();
        assertTrue(!frames.isEmpty() && frames.size() <= FRAMES_MAX, frames::toString);
        assertTrue(classes.count() <= CLASSES_MAX, frames::toString);
    }
}
