package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelException;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.stream.Stream;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.Test;

/** Availability of the transport in a class path without a part that it needs. */
class AvailabilityTest {
    private static URL url(String path) {
        try {
            return new File(path).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    /** The cause in a class loader that has the class path without the parts whose path matches. */
    private static Throwable causeWithout(String parts) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] rest = Stream.of(classPath.split(File.pathSeparator))
                .filter(path -> !path.matches(parts))
                .map(AvailabilityTest::url)
                .toArray(URL[]::new);
        Thread caller = Thread.currentThread();
        ClassLoader usual = caller.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(rest, ClassLoader.getPlatformClassLoader())) {
            caller.setContextClassLoader(loader);
            Class<?> netty = loader.loadClass(CabrankNetty.class.getName());
            Throwable cause = (Throwable) netty.getMethod("unavailabilityCause").invoke(null);
            assertEquals(false, netty.getMethod("isAvailable").invoke(null));
            return cause;
        } finally {
            caller.setContextClassLoader(usual);
        }
    }

    @Test
    void nothingIsMissingHere() {
        assertNull(CabrankNetty.unavailabilityCause());
        assertTrue(CabrankNetty.isAvailable());
    }

    @Test
    void classPathWithoutABindingIsNamed() throws Exception {
        Throwable cause = causeWithout(".*(native-bindings/|cabrank-kernel-)(panama|jna)\\b.*");
        assertEquals(
                KernelUnavailableException.class.getName(), cause.getClass().getName());
    }

    @Test
    void classPathWithoutABackendIsNamed() throws Exception {
        Throwable cause = causeWithout(".*reactor-(epoll|iouring)\\b.*");
        assertTrue(cause.getMessage().contains("no backend is installed"), cause::getMessage);
    }

    @Test
    void groupWhoseBackendIsMissingSaysSo() {
        ChannelException refused = assertThrows(
                ChannelException.class,
                () -> CabrankEventLoopGroup.builder()
                        .reactor(reactor -> reactor.backend(Backend.named("absent")))
                        .build());
        assertTrue(refused.getMessage().contains("absent"), refused::getMessage);
    }
}
