package org.cabrank.bench.contender;

import io.netty.channel.ChannelException;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.lf.PoolConfig;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CabrankServerSocketChannel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;

/** Netty over Cabrank's transport. It has the pipelines of the other Netty contenders, run by one shard's Leader/Followers threads. */
final class NettyOverCabrankContender implements Contender {

    private final String backend;

    NettyOverCabrankContender(String backend) {
        this.backend = backend;
    }

    @Override
    public String name() {
        return "netty-over-cabrank-" + backend;
    }

    @Override
    public boolean serves(Protocol protocol) {
        return protocol.connects();
    }

    @Override
    public List<String> tuning() {
        return Stream.concat(
                        Stream.of("one shard, an event loop for each connection, as many threads as are needed"),
                        NettyServer.TUNING.stream())
                .toList();
    }

    @Override
    public List<String> jvmFlags(int feature) {
        return NettyJvmFlags.of(feature);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        CabrankEventLoopGroup group = group(settings);
        PoolConfig pool = group.reactor().pools().get(0).config();
        String threads = (pool.grows() ? pool.initialThreads() + " to " : "") + pool.threads() + " threads";
        NettyTransport transport = new NettyTransport(
                loops -> group,
                CabrankServerSocketChannel.class,
                Map.of(),
                group.reactor().backendDescription() + ", " + threads);
        return NettyServer.start(transport, settings, 1, SslProvider.JDK);
    }

    private CabrankEventLoopGroup group(ServerSettings settings) throws IOException {
        try {
            return CabrankEventLoopGroup.builder()
                    .reactor(reactor -> {
                        reactor.backend(Backend.named(backend)).shards(1);
                        if (settings.threadsElse(0) > 0) {
                            reactor.threadsPerShard(settings.threadsElse(0));
                        }
                    })
                    .build();
        } catch (ChannelException refused) {
            if (refused.getCause() instanceof BackendUnavailableException notHere) {
                throw new ContenderUnavailableException(notHere.getMessage());
            }
            throw refused;
        }
    }
}
