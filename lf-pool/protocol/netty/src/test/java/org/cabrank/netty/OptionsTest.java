package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that Netty's own transports add to Netty's, under the names that programs know. */
class OptionsTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    private static <T> void assertTaken(Channel channel, ChannelOption<T> option, T value) {
        assertTrue(channel.config().setOption(option, value), option.name());
        assertEquals(value, channel.config().getOption(option), option.name());
        assertTrue(channel.config().getOptions().containsKey(option), option.name());
    }

    @Test
    void optionsOfNettysEpollTransportReachTheKernel() {
        Channel connection = new CabrankSocketChannel();
        assertTaken(connection, EpollChannelOption.TCP_CORK, true);
        assertTaken(connection, EpollChannelOption.TCP_QUICKACK, false);
        assertTaken(connection, EpollChannelOption.TCP_KEEPIDLE, 11);
        assertTaken(connection, EpollChannelOption.TCP_KEEPINTVL, 12);
        assertTaken(connection, EpollChannelOption.TCP_KEEPCNT, 13);
        assertTaken(connection, EpollChannelOption.TCP_USER_TIMEOUT, 14);
        assertTaken(connection, EpollChannelOption.TCP_NOTSENT_LOWAT, 0xffff_fffeL);
        assertTaken(connection, EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true);
        assertTrue(connection.config().getOption(EpollChannelOption.SO_BUSY_POLL) >= 0); // to raise it takes a right
        Channel listener = new CabrankServerSocketChannel();
        assertTaken(listener, UnixChannelOption.SO_REUSEPORT, true);
        assertTrue(listener.config().setOption(EpollChannelOption.TCP_DEFER_ACCEPT, 3)); // the kernel rounds it up
        assertTrue(listener.config().getOption(EpollChannelOption.TCP_DEFER_ACCEPT) >= 3);
        Channel datagrams = new CabrankDatagramChannel();
        assertTaken(datagrams, UnixChannelOption.SO_REUSEPORT, true);
        assertTaken(datagrams, EpollChannelOption.IP_MULTICAST_ALL, false);
        List.of(connection, listener, datagrams).forEach(each -> each.unsafe().closeForcibly());
    }

    /** Netty's bootstraps then log the name of the option. */
    @Test
    void optionThatTheTransportLacksIsRefused() {
        Channel connection = new CabrankSocketChannel();
        assertFalse(connection.config().setOption(EpollChannelOption.TCP_MD5SIG, Map.of()));
        assertFalse(connection.config().setOption(ChannelOption.TCP_FASTOPEN_CONNECT, true));
        assertFalse(connection.config().setOption(UnixChannelOption.SO_REUSEPORT, true));
        connection.unsafe().closeForcibly();
    }

    /** Channels of Netty's epoll transport beside the channels that replace them. */
    @Test
    void optionThatNettysEpollTransportHasIsTakenOrNamedOnThePage() throws Exception {
        assumeTrue(Epoll.isAvailable(), () -> "" + Epoll.unavailabilityCause());
        String page = Files.readString(Path.of("MIGRATION.md"));
        List<String> missing = new ArrayList<>();
        Map.<Channel, Channel>of(
                        new EpollSocketChannel(), new CabrankSocketChannel(),
                        new EpollServerSocketChannel(), new CabrankServerSocketChannel(),
                        new EpollDatagramChannel(), new CabrankDatagramChannel(),
                        new EpollDomainSocketChannel(), new CabrankDomainSocketChannel(),
                        new EpollServerDomainSocketChannel(), new CabrankServerDomainSocketChannel())
                .forEach((theirs, ours) -> {
                    Set<ChannelOption<?>> taken = ours.config().getOptions().keySet();
                    for (ChannelOption<?> option : theirs.config().getOptions().keySet()) {
                        String name = option.name().replaceAll(".*#", "");
                        boolean fits = !name.startsWith("TCP_") || !(ours instanceof CabrankServerDomainSocketChannel);
                        if (fits && !taken.contains(option) && !page.contains("`" + name + "`")) {
                            missing.add(ours.getClass().getSimpleName() + ": " + name);
                        }
                    }
                    theirs.unsafe().closeForcibly();
                    ours.unsafe().closeForcibly();
                });
        assertEquals(List.of(), missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void listenersInEachShardShareAnAddress(String backend) throws Exception {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(2).threadsPerShard(1))
                .build();
        Set<Channel> accepting = ConcurrentHashMap.newKeySet();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .option(UnixChannelOption.SO_REUSEPORT, true)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }

                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        accepting.add(context.channel().parent());
                        context.close();
                    }
                });
        InetSocketAddress address = (InetSocketAddress) bootstrap
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
        bootstrap.bind(address).syncUninterruptibly(); // the group's other shard
        Await.until("the kernel has chosen both", () -> {
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                return client.getInputStream().read() < 0 && accepting.size() == 2;
            } catch (IOException refused) {
                throw new AssertionError(refused);
            }
        });
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }
}
