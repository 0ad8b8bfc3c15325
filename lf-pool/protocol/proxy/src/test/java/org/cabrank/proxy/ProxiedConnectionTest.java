package org.cabrank.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.transport.DecoratorOutput;
import org.junit.jupiter.api.Test;

class ProxiedConnectionTest {
    private static final Map<Class<?>, Object> ANSWERS = Map.of(
            long.class,
            7L,
            int.class,
            8,
            boolean.class,
            true,
            SocketAddress.class,
            SampleHeaders.LISTENER_6,
            StreamLimits.class,
            StreamLimits.DEFAULT,
            CompletableFuture.class,
            new CompletableFuture<Boolean>(),
            Object.class,
            "attachment");

    private static final Map<Class<?>, Object> ARGUMENTS = Map.of(
            int.class,
            3,
            long.class,
            5L,
            ByteBuffer.class,
            ByteBuffer.allocate(1),
            Duration.class,
            Duration.ofSeconds(1),
            Object.class,
            "attached",
            ConnectionContinuation.class,
            (ConnectionContinuation<Object>) (connection, result) -> {},
            WriteCompletion.class,
            (WriteCompletion) (connection, failure) -> {},
            Runnable.class,
            (Runnable) () -> {});

    /** Methods that pass a callback on, which is called with the proxied connection. */
    private static final Set<String> WRAPPING = Set.of("offload", "whenWritten");

    /** The address of the client, and the handler behind the header. */
    private static final Set<String> OWN = Set.of("remoteAddress", "replaceHandler");

    private final List<String> calls = new ArrayList<>();
    private Object[] arguments;

    private Connection recording() {
        Class<?>[] types = {Connection.class, DecoratorOutput.class};
        return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), types, (own, method, given) -> {
            calls.add(method.toString());
            arguments = given;
            return ANSWERS.get(method.getReturnType());
        });
    }

    /** Also a method that a later version of the interface declares, with a default or without. */
    @Test
    void eachMethodButThoseOfAddressAndHandlerIsDelegated() throws Exception {
        ProxyHeader header = ProxyHeader.v1(SampleHeaders.CLIENT, SampleHeaders.LISTENER);
        ProxiedConnection proxied = new DelegatingProxiedConnection(null, recording(), header);
        int delegated = 0;
        for (Method method : Connection.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) || OWN.contains(method.getName())) {
                continue;
            }
            Object[] given = Arrays.stream(method.getParameterTypes())
                    .map(ARGUMENTS::get)
                    .toArray();
            calls.clear();
            Object answer = method.invoke(proxied, given);
            assertEquals(List.of(method.toString()), calls);
            assertEquals(ANSWERS.get(method.getReturnType()), answer, method.toString());
            if (!WRAPPING.contains(method.getName())) {
                assertArrayEquals(given.length == 0 ? null : given, arguments, method.toString());
            }
            delegated++;
        }
        assertTrue(delegated > 25, delegated + " methods");
    }

    @Test
    void theRemoteAddressIsTheClient() {
        ProxyHeader header = ProxyHeader.v1(SampleHeaders.CLIENT, SampleHeaders.LISTENER);
        ProxiedConnection proxied = new DelegatingProxiedConnection(null, recording(), header);
        assertSame(SampleHeaders.CLIENT, proxied.remoteAddress());
        assertEquals(List.of(), calls);
        assertSame(SampleHeaders.LISTENER_6, proxied.proxyAddress());
        assertTrue(new DelegatingProxiedConnection(null, recording(), header)
                .toString()
                .endsWith(" for " + SampleHeaders.CLIENT));
        assertSame(SampleHeaders.LISTENER_6, new DelegatingProxiedConnection(null, recording(), null).remoteAddress());
        assertSame(
                SampleHeaders.LISTENER_6,
                new DelegatingProxiedConnection(null, recording(), ProxyHeader.v2Local()).remoteAddress());
    }

    @Test
    void aRequestBehindTheHeaderCostsNoAllocation() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ProxyProtocol protocol = ProxyProtocol.builder()
                .trusted(SampleHeaders.LISTENER_6.getAddress().getHostAddress())
                .build();
        ConnectionHandler reading = (connection, data) -> {
            connection.remoteAddress();
            data.position(data.limit());
        };
        ConnectionHandler decorated = protocol.handlers(() -> reading).get();
        Connection connection = recording();
        decorated.opened(connection);
        decorated.data(connection, SampleHeaders.withEachField().encode());
        ByteBuffer request = ByteBuffer.allocate(100);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < 1_000; i++) {
                decorated.data(connection, request.clear());
                decorated.writable(connection);
            }
            least = Math.min(
                    least,
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }
        assertTrue(least < 1_000, least + " bytes for 1,000 requests");
    }
}
