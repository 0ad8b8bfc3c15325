package org.cabrank.kernel.panama;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.cabrank.kernel.contract.OldLibraryContract;
import org.cabrank.kernel.panama.generated.LinuxCalls;
import org.junit.jupiter.api.Test;

class PanamaOldLibraryTest extends OldLibraryContract {
    private static final String ADDRESS = "$address";

    @Override
    protected String provider() {
        return PanamaKernelProvider.NAME;
    }

    @Override
    protected Stream<String> functions() {
        return Stream.concat(
                Stream.of("pthread_sigmask"),
                Arrays.stream(LinuxCalls.class.getMethods())
                        .map(Method::getName)
                        .filter(name -> name.endsWith(ADDRESS))
                        .map(name -> name.substring(0, name.length() - ADDRESS.length())));
    }

    /** glibc before 2.32 has the function in libpthread only. */
    @Test
    void functionThatOnlyTheThreadsLibraryHasIsFound() {
        SymbolLookup without = name -> Optional.empty();
        assertNotEquals(0, Downcalls.threadFunction(without, "pthread_sigmask").address());
        assertThrows(UnsatisfiedLinkError.class, () -> Downcalls.threadFunction(without, "no_such_function"));
    }
}
