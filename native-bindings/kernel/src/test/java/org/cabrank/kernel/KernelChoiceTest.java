package org.cabrank.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;

class KernelChoiceTest {
    private static final List<String> NONE = List.of();

    private final FakeProvider fast = new FakeProvider("fast", 1);
    private final FakeProvider slow = new FakeProvider("slow", 2);

    @Test
    void lowestRankIsTakenWhateverTheOrder() throws KernelUnavailableException {
        KernelChoice choice = choose(null, slow, fast);
        assertSame(fast.kernel, choice.kernel());
        assertEquals("calling the kernel through fast", choice.explanation());
        assertFalse(slow.tried);
    }

    @Test
    void nextRankIsTakenAndTheReasonToldWhenTheFirstDoesNotWork() throws KernelUnavailableException {
        fast.failure = new KernelUnavailableException("the weather is bad");
        KernelChoice choice = choose(null, fast, slow);
        assertSame(slow.kernel, choice.kernel());
        assertEquals("calling the kernel through slow (fast: the weather is bad)", choice.explanation());
    }

    @Test
    void providerThatThrowsIsAReasonAndNoCrash() throws KernelUnavailableException {
        fast.failure = new NoClassDefFoundError("com/sun/jna/Native");
        assertEquals(
                "calling the kernel through slow (fast: java.lang.NoClassDefFoundError: com/sun/jna/Native)",
                choose(null, fast, slow).explanation());
        fast.failure = new UnsatisfiedLinkError("cannot load x:\n  no such file\n");
        assertEquals(
                "calling the kernel through slow"
                        + " (fast: java.lang.UnsatisfiedLinkError: cannot load x: no such file)",
                choose(null, fast, slow).explanation());
        fast.failure = new IllegalStateException("oops");
        assertSame(slow.kernel, choose(null, fast, slow).kernel());
    }

    @Test
    void everyReasonIsReportedWhenNothingWorks() {
        fast.failure = new KernelUnavailableException("the weather is bad");
        slow.failure = new KernelUnavailableException("the wind is wrong");
        assertRefused(
                "no way of calling the kernel works here (fast: the weather is bad; slow: the wind is wrong)",
                () -> choose(null, fast, slow));
    }

    @Test
    void forcedProviderIsTheOnlyOneTried() throws KernelUnavailableException {
        KernelChoice choice = choose("slow", fast, slow);
        assertSame(slow.kernel, choice.kernel());
        assertEquals("calling the kernel through slow, as -Dcabrank.kernel=slow asks", choice.explanation());
        assertFalse(fast.tried);

        slow.failure = new KernelUnavailableException("the wind is wrong");
        assertRefused(
                "-Dcabrank.kernel=slow: does not work here (slow: the wind is wrong)",
                () -> choose("slow", fast, slow));
        assertFalse(fast.tried);
    }

    @Test
    void forcedProviderThatIsNotThereIsNamedWithThoseThatAre() {
        assertRefused(
                "-Dcabrank.kernel=typo: no such way of calling the kernel here; there is fast, slow",
                () -> choose("typo", slow, fast));
    }

    @Test
    void missingProvidersAreReportedWithWhatWouldHelp() {
        String message = assertThrows(KernelUnavailableException.class, () -> choose(null))
                .getMessage();
        assertTrue(message.contains("cabrank-kernel-jna"), message);
    }

    @Test
    void jnaIsAdvisedOnlyWhereItIsMissing() throws KernelUnavailableException {
        FakeProvider jna = new FakeProvider("jna", 3);
        List<String> broken = List.of("class file version 66.0: a JDK of 22 or later is needed");
        KernelChoice.Found both = new KernelChoice.Found(List.of(jna), broken);
        assertEquals(
                "calling the kernel through jna (" + broken.get(0) + ")",
                KernelChoice.choose("Linux", "amd64", null, both).explanation());
        jna.failure = new NoClassDefFoundError("com/sun/jna/Native");
        assertRefused(
                "no way of calling the kernel works here (" + broken.get(0)
                        + "; jna: java.lang.NoClassDefFoundError: com/sun/jna/Native)",
                () -> KernelChoice.choose("Linux", "amd64", null, both));
        String advice = "; use a JDK of 22 or later, or add cabrank-kernel-jna to the class path or module path";
        KernelChoice.Found panamaAlone = new KernelChoice.Found(List.of(), broken);
        assertRefused(
                "no way of calling the kernel works here (" + broken.get(0) + ")" + advice,
                () -> KernelChoice.choose("Linux", "amd64", null, panamaAlone));
        assertRefused(
                "-Dcabrank.kernel=jna: no such way of calling the kernel here; there is none (" + broken.get(0) + ")"
                        + advice,
                () -> KernelChoice.choose("Linux", "amd64", "jna", panamaAlone));
    }

    @Test
    void otherSystemsAndArchitecturesAreRefusedBeforeAnythingIsTried() {
        KernelChoice.Found found = new KernelChoice.Found(List.of(fast), NONE);
        assertRefused(
                "Cabrank calls the Linux kernel; this system is Mac OS X",
                () -> KernelChoice.choose("Mac OS X", "aarch64", null, found));
        assertRefused(
                "Cabrank knows the Linux ABI of amd64 and aarch64, not that of the architecture 's390x'",
                () -> KernelChoice.choose("Linux", "s390x", null, found));
        assertFalse(fast.tried);
    }

    @Test
    void providerOfATooNewClassFileIsAReasonAndTheOthersAreStillFound() throws KernelUnavailableException {
        KernelChoice.Found found = Kernels.discover(iterator(List.of(
                () -> {
                    throw new UnsupportedClassVersionError(
                            "org/cabrank/kernel/TooNew has been compiled by a more recent"
                                    + " version (class file version 66.0)");
                },
                () -> {
                    throw new ServiceConfigurationError("gone", new NoClassDefFoundError("Missing"));
                },
                () -> {
                    throw new ServiceConfigurationError("not a subtype");
                },
                () -> slow)));
        assertEquals(List.of(slow), found.providers());
        int java = Runtime.version().feature();
        assertEquals(
                List.of(
                        "TooNew needs a JDK of 22 or later, and this JVM is Java " + java,
                        "java.lang.NoClassDefFoundError: Missing",
                        "java.util.ServiceConfigurationError: not a subtype"),
                found.broken());
        String explanation = KernelChoice.choose("Linux", "amd64", null, found).explanation();
        assertTrue(explanation.startsWith("calling the kernel through slow (TooNew needs a JDK of 22"), explanation);
        assertRefused(
                "-Dcabrank.kernel=panama: no such way of calling the kernel here; there is slow ("
                        + String.join("; ", found.broken()) + ")",
                () -> KernelChoice.choose("Linux", "amd64", "panama", found));
    }

    @Test
    void serviceLoaderThatFailsForEverIsGivenUp() {
        Iterator<KernelProvider> broken = new Iterator<>() {
            private int failures;

            @Override
            public boolean hasNext() {
                throw new ServiceConfigurationError("unreadable " + ++failures);
            }

            @Override
            public KernelProvider next() {
                throw new NoSuchElementException();
            }
        };
        assertEquals(16, Kernels.discover(broken).broken().size());
    }

    private static KernelChoice choose(String forced, KernelProvider... providers) throws KernelUnavailableException {
        return KernelChoice.choose("Linux", "amd64", forced, new KernelChoice.Found(List.of(providers), NONE));
    }

    private static void assertRefused(String message, Choosing choosing) {
        assertEquals(
                message,
                assertThrows(KernelUnavailableException.class, choosing::choose).getMessage());
    }

    private interface Choosing {
        KernelChoice choose() throws KernelUnavailableException;
    }

    private static Iterator<KernelProvider> iterator(List<Supplier<KernelProvider>> steps) {
        Iterator<Supplier<KernelProvider>> remaining = steps.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return remaining.hasNext();
            }

            @Override
            public KernelProvider next() {
                return remaining.next().get();
            }
        };
    }

    private static final class FakeProvider implements KernelProvider {
        private final String name;
        private final int rank;
        private final Kernel kernel = new ForwardingKernel(unusable());
        private Throwable failure;
        private boolean tried;

        FakeProvider(String name, int rank) {
            this.name = name;
            this.rank = rank;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public Kernel open() throws KernelUnavailableException {
            tried = true;
            if (failure instanceof KernelUnavailableException) {
                throw (KernelUnavailableException) failure;
            }
            if (failure instanceof Error) {
                throw (Error) failure;
            }
            if (failure != null) {
                throw (RuntimeException) failure;
            }
            return kernel;
        }

        private static Kernel unusable() {
            return (Kernel) Proxy.newProxyInstance(
                    Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (proxy, method, arguments) -> {
                        throw new AssertionError("nobody calls this kernel");
                    });
        }
    }
}
