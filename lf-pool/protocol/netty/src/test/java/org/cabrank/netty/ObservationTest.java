package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.cabrank.lf.Watchdog;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler of a Netty channel that blocks, as the watchdog, JMX and a flight recording show it. */
class ObservationTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    @Sharable
    private static final class Blocking extends ChannelInboundHandlerAdapter {
        private final CountDownLatch release = new CountDownLatch(1);

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws InterruptedException {
            ReferenceCountUtil.release(message);
            assertTrue(release.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
            context.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void blockedHandlerIsReportedWithTheAddressOfItsChannel(String backend, @TempDir Path directory) throws Exception {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .name("observed-" + backend)
                .reactor(reactor -> reactor.backend(Backend.named(backend))
                        .shards(1)
                        .threadsPerShard(2)
                        .jmx(true))
                .build();
        Blocking handler = new Blocking();
        InetSocketAddress address = (InetSocketAddress) new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(handler)
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
        Queue<String> reported = new ConcurrentLinkedQueue<>();
        try (Recording recording = new Recording();
                Watchdog watchdog = Watchdog.start(Duration.ofMillis(10), blocked -> reported.add(blocked.handle()));
                Socket client = new Socket(address.getAddress(), address.getPort())) {
            recording.enable("org.cabrank.SlowHandler").withThreshold(Duration.ofMillis(1));
            recording.start();
            group.reactor().pools().forEach(watchdog::watch);
            client.getOutputStream().write(1);
            String peer = "R:/127.0.0.1:" + client.getLocalPort();
            Await.until("the watchdog reports", () -> reported.stream().anyMatch(handle -> handle.contains(peer)));
            assertEquals(
                    1L,
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(
                                    new ObjectName("org.cabrank:type=Reactor,name=observed-" + backend),
                                    "Connections"));
            handler.release.countDown();
            assertTrue(client.getInputStream().read() < 0);
            assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
            Path file = directory.resolve("recording.jfr");
            recording.dump(file);
            assertTrue(RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("org.cabrank.SlowHandler"))
                    .anyMatch(event -> event.getString("handle").contains(peer)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void healthCheckSeesThatHandlersBlockAllThreads(String backend) throws Exception {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(2))
                .build();
        Blocking handler = new Blocking();
        InetSocketAddress address = (InetSocketAddress) new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(handler)
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
        Duration limit = Duration.ofMillis(1);
        try (Socket one = new Socket(address.getAddress(), address.getPort());
                Socket other = new Socket(address.getAddress(), address.getPort())) {
            one.getOutputStream().write(1);
            other.getOutputStream().write(1);
            Await.until(
                    "no thread is free", () -> !group.reactor().liveness(limit).isLive());
            handler.release.countDown();
            Await.until(
                    "threads are free", () -> group.reactor().liveness(limit).isLive());
        }
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }
}
