package org.cabrank.kernel.jna;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.cabrank.kernel.Abi;
import org.cabrank.kernel.CFunction;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SystemCall;

/** Calls the kernel through JNA, which saves errno for each thread. Reads errno only after a failure, because this takes a native call. */
final class JnaKernel implements Kernel {
    private static final Abi ABI = Abi.current();

    private static final MethodType SHAPE =
            MethodType.methodType(long.class, long.class, long.class, long.class, long.class, long.class, long.class);

    /** One handle for each {@link CFunction}, in order. The list is immutable, so the JIT treats its elements as constants. */
    private static final List<MethodHandle> HANDLES =
            Arrays.stream(CFunction.values()).map(JnaKernel::handle).toList();

    private static MethodHandle handle(CFunction function) {
        String name = function.name().toLowerCase(Locale.ROOT);
        try {
            Method method = Arrays.stream(LibC.class.getDeclaredMethods())
                    .filter(each -> each.getName().equals(name))
                    .findAny()
                    .orElseThrow();
            MethodType longs = SHAPE.dropParameterTypes(method.getParameterCount(), SHAPE.parameterCount());
            MethodHandle cast =
                    MethodHandles.explicitCastArguments(MethodHandles.lookup().unreflect(method), longs);
            return MethodHandles.dropArgumentsToMatch(cast, 0, SHAPE.parameterList(), 0);
        } catch (IllegalAccessException e) {
            throw new LinkageError(name, e);
        }
    }

    @Override
    public String name() {
        return JnaKernelProvider.NAME;
    }

    @Override
    public long call(CFunction function, long a, long b, long c, long d, long e, long f) {
        try {
            return result((long) HANDLES.get(function.ordinal()).invokeExact(a, b, c, d, e, f));
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public long call(SystemCall made, long a, long b, long c, long d, long e, long f) {
        return result(LibC.syscall(made.number(ABI), a, b, c, d, e, f));
    }

    private static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native method threw", thrown);
    }

    private static long result(long result) {
        return (int) result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long addressOf(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("a buffer on the Java heap has no address: " + direct);
        }
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }

    @Override
    public ByteBuffer viewOf(long address, int length) {
        // getByteBuffer sets the native byte order.
        return new Pointer(address).getByteBuffer(0, length);
    }
}
