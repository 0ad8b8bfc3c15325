package org.cabrank.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class NativeArgumentTest {
    private static final long ADDRESS = 4_096;

    private final ByteBuffer direct = ByteBuffer.allocateDirect(1);

    private final Kernel kernel = (Kernel) Proxy.newProxyInstance(
            Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (proxy, method, arguments) -> {
                assertEquals("addressOf", method.getName());
                assertSame(direct, arguments[0]);
                return ADDRESS;
            });

    @Test
    void theCallGetsTheAddressOfTheBufferAndItsResultIsReturned() {
        assertEquals(-Errno.EAGAIN, NativeArgument.pass(kernel, direct, address -> {
            assertEquals(ADDRESS, address);
            return -Errno.EAGAIN;
        }));
    }

    @Test
    void anExceptionOfTheCallReachesTheCaller() {
        IllegalStateException thrown = new IllegalStateException();
        assertSame(
                thrown,
                assertThrows(
                        IllegalStateException.class,
                        () -> NativeArgument.pass(kernel, direct, address -> {
                            throw thrown;
                        })));
    }
}
