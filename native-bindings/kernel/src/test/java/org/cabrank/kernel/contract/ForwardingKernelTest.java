package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cabrank.kernel.Kernel;
import org.junit.jupiter.api.Test;

class ForwardingKernelTest {
    private final List<Object> seen = new ArrayList<>();

    private final Kernel recorder = (Kernel) Proxy.newProxyInstance(
            Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (proxy, method, arguments) -> {
                seen.add(method);
                seen.addAll(arguments == null ? List.of() : Arrays.asList(arguments));
                return value(method.getReturnType(), 4_242);
            });

    @Test
    void everyCallReachesTheNextKernelWithItsArguments() throws ReflectiveOperationException {
        ForwardingKernel kernel = new ForwardingKernel(recorder);
        for (Method method : Kernel.class.getMethods()) {
            seen.clear();
            List<Object> arguments = new ArrayList<>();
            for (Class<?> type : method.getParameterTypes()) {
                arguments.add(value(type, arguments.size() + 1));
            }

            Object result = method.invoke(kernel, arguments.toArray());

            assertEquals(method, seen.get(0));
            assertEquals(arguments, seen.subList(1, seen.size()), method.toString());
            assertEquals(value(method.getReturnType(), 4_242), result);
        }
    }

    @Test
    void nextKernelIsTheOneThatWasGiven() {
        assertSame(recorder, new ForwardingKernel(recorder).next());
    }

    private static Object value(Class<?> type, int number) {
        if (type == int.class) {
            return number;
        }
        if (type == long.class) {
            return (long) number;
        }
        if (type == String.class) {
            return "" + number;
        }
        if (type == ByteBuffer.class) {
            return ByteBuffer.allocate(number);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[number];
        }
        throw new AssertionError("no value for " + type);
    }
}
