package org.cabrank.kernel.jna;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.cabrank.kernel.contract.OldLibraryContract;

class JnaOldLibraryTest extends OldLibraryContract {
    @Override
    protected String provider() {
        return JnaKernelProvider.NAME;
    }

    @Override
    protected Stream<String> functions() {
        return Arrays.stream(LibC.class.getDeclaredMethods())
                .filter(method -> Modifier.isNative(method.getModifiers()))
                .map(Method::getName);
    }
}
