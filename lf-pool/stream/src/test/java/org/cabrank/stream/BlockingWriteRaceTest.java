package org.cabrank.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The callback comes between the look at the queue and the wait for the callback. */
@Timeout(300)
class BlockingWriteRaceTest {
    private final AtomicReference<BlockingConnection> view = new AtomicReference<>();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();

    private boolean refusesLook;
    private boolean refusesWrite;

    private Object answer(String method, Object[] arguments) {
        return switch (method) {
            case "limits" -> StreamLimits.DEFAULT;
            case "isWritable" -> {
                boolean refused = refusesLook && looks.getAndIncrement() == 0;
                if (refused) {
                    view.get().writer.becameWritable();
                }
                yield !refused;
            }
            case "write" -> {
                if (refusesWrite && writes.getAndIncrement() == 0) {
                    view.get().writer.becameWritable();
                    throw new WriteQueueFullException("full", true);
                }
                ByteBuffer data = (ByteBuffer) arguments[0];
                data.position(data.limit());
                yield null;
            }
            default -> throw new AssertionError(method);
        };
    }

    private void write() throws Exception {
        Connection connection = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
        view.set(new BlockingConnection(connection));
        assertEquals(5, view.get().write(ByteBuffer.allocate(5)));
    }

    @Test
    void writableThatFollowsTheLookAtOnceIsNotMissed() throws Exception {
        refusesLook = true;
        write();
        assertEquals(2, looks.get());
    }

    @Test
    void writableThatFollowsTheRefusalAtOnceIsNotMissed() throws Exception {
        refusesWrite = true;
        write();
        assertEquals(2, writes.get());
    }
}
