package org.cabrank.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.testsuite.transport.socket.SocketTestPermutation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.stream.Backend;

/** Pairs of server and client for Netty's suite: this transport over one backend with itself, and with NIO. */
final class SuitePairs extends SocketTestPermutation {
    /** As many threads as the suite gives the other transports. */
    private static final int THREADS = 4;

    private final EventLoopGroup group;

    SuitePairs(String backend) {
        group = CabrankEventLoopGroup.builder()
                .name("testsuite-" + backend)
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(THREADS))
                .build();
    }

    @Override
    public List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> socket() {
        List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> pairs = combo(serverSocket(), clientSocket());
        pairs.remove(pairs.size() - 1); // NIO with NIO
        return pairs;
    }

    /** This transport with itself, for the tests that take longest; in a soak with NIO as well. */
    List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> ownSocket() {
        return Long.getLong(NettySuite.SOAK) != null ? socket() : combo(ownServer(), ownClient());
    }

    @Override
    public List<BootstrapFactory<ServerBootstrap>> serverSocket() {
        return List.of(
                () -> new ServerBootstrap().group(group).channel(CabrankServerSocketChannel.class),
                () -> new ServerBootstrap().group(NIO_GROUP).channel(NioServerSocketChannel.class));
    }

    @Override
    public List<BootstrapFactory<Bootstrap>> clientSocket() {
        return List.of(
                () -> new Bootstrap().group(group).channel(CabrankSocketChannel.class),
                () -> new Bootstrap().group(NIO_GROUP).channel(NioSocketChannel.class));
    }

    @Override
    public List<BootstrapComboFactory<Bootstrap, Bootstrap>> datagram(SocketProtocolFamily family) {
        List<BootstrapFactory<Bootstrap>> sockets = List.of(
                () -> new Bootstrap().group(group).channelFactory(() -> new CabrankDatagramChannel(family)),
                () -> new Bootstrap().group(NIO_GROUP).channelFactory(() -> new NioDatagramChannel(family)));
        List<BootstrapComboFactory<Bootstrap, Bootstrap>> pairs = combo(sockets, sockets);
        pairs.remove(pairs.size() - 1); // NIO with NIO
        return pairs;
    }

    @Override
    public List<BootstrapFactory<Bootstrap>> datagramSocket() {
        return List.of(() -> new Bootstrap().group(group).channel(CabrankDatagramChannel.class));
    }

    List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> unix() {
        return combo(
                List.of(() -> new ServerBootstrap().group(group).channel(CabrankServerDomainSocketChannel.class)),
                List.of(() -> new Bootstrap().group(group).channel(CabrankDomainSocketChannel.class)));
    }

    /** Returns true if somebody answers at the address of documentation (RFC 5737) that the suite takes for one where nobody is. */
    static boolean isUnassignedAddressReached() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("198.51.100.254", 65535), 500);
            return true;
        } catch (IOException unreachable) {
            return false;
        }
    }

    static SocketAddress newUnixAddress() {
        try {
            Path file = Files.createTempFile("cabrank", ".sock");
            Files.delete(file);
            return UnixDomainSocketAddress.of(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<BootstrapFactory<ServerBootstrap>> ownServer() {
        return serverSocket().subList(0, 1);
    }

    List<BootstrapFactory<Bootstrap>> ownClient() {
        return clientSocket().subList(0, 1);
    }
}
