package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CountingLeakDetector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A program over each transport. It leaves neither a buffer nor an event loop behind. */
@ParameterizedClass(name = "{0}")
@MethodSource("org.cabrank.netty.program.ProgramTransport#tested")
abstract class ProgramContract {
    /** Set in a soak, whose tests are longer. */
    static final String SOAK = "cabrank.soak.seconds";

    static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    /** Threads of the group: servers and clients share them. */
    static final int THREADS = 4;

    @Parameter
    ProgramTransport transport;

    EventLoopGroup group;

    @BeforeParameterizedClassInvocation
    static void forgetLeaksOfOtherTests() {
        CountingLeakDetector.leaks();
        CountingLeakDetector.forget();
    }

    @BeforeEach
    void startGroup() {
        group = transport.start(THREADS);
    }

    @AfterEach
    void endGroup() {
        if (group == null) {
            return; // the transport is unavailable
        }
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        if (group instanceof CabrankEventLoopGroup ours) {
            assertFalse(ours.iterator().hasNext());
        }
    }

    @AfterParameterizedClassInvocation
    static void noBufferLeaked() {
        assertEquals(List.of(), CountingLeakDetector.leaks());
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static <F extends Future<?>> F done(F future) {
        assertTrue(future.awaitUninterruptibly(PATIENCE_MS), "not done: " + future);
        future.syncUninterruptibly();
        return future;
    }

    static <T> T result(java.util.concurrent.Future<T> future) throws Exception {
        return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    static InetSocketAddress addressOf(ChannelFuture bound) {
        return (InetSocketAddress) bound.channel().localAddress();
    }
}
