package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Lettuce, which chooses among Netty's transports itself: a subclass of its client puts in the group and the channel class. */
class LettuceTest extends ProgramContract {
    private final class Client extends RedisClient {
        Client(ClientResources resources, RedisURI uri) {
            super(resources, uri);
        }

        @Override
        @SuppressWarnings("unchecked") // options and their values
        protected <K, V, T extends RedisChannelHandler<K, V>> ConnectionFuture<T> initializeChannelAsync(
                ConnectionBuilder builder) {
            Bootstrap ours = new Bootstrap().group(group).channel(transport.connection());
            builder.bootstrap()
                    .config()
                    .options()
                    .forEach((option, value) -> ours.option((ChannelOption<Object>) option, value));
            return super.initializeChannelAsync(builder.bootstrap(ours));
        }
    }

    @Test
    void commandsAreAnsweredInOrder() throws Exception {
        try (RedisFake redis = new RedisFake()) {
            InetSocketAddress address = redis.address();
            ClientResources resources = DefaultClientResources.builder().build();
            try (RedisClient client =
                    new Client(resources, RedisURI.create(address.getAddress().getHostAddress(), address.getPort()))) {
                StatefulRedisConnection<String, String> connection = client.connect();
                assertNull(connection.sync().get("absent"));
                List<RedisFuture<String>> values = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    connection.async().set("key", "value " + i);
                    values.add(connection.async().get("key"));
                }
                for (int i = 0; i < values.size(); i++) {
                    assertEquals("value " + i, result(values.get(i)));
                }
                String large = "x".repeat(1 << 20);
                connection.sync().set("large", large);
                assertEquals(large, connection.sync().get("large"));
                connection.close();
            } finally {
                resources.shutdown(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS);
            }
        }
    }

    /** Half of the connections end while commands are under way. */
    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void loadWithEndsDuringCommandsAndBlockingLeavesNothing() throws Exception {
        ClientResources resources = DefaultClientResources.builder().build();
        try (RedisFake redis = new RedisFake()) {
            InetSocketAddress address = redis.address();
            load(random -> {
                RedisURI uri = RedisURI.create(address.getAddress().getHostAddress(), address.getPort());
                try (RedisClient client = new Client(resources, uri)) {
                    StatefulRedisConnection<String, String> connection = client.connect();
                    String key = "key " + Thread.currentThread().getId();
                    String value = "x".repeat(random.nextInt(100_000));
                    connection.async().set(key, value).thenRun(ProgramContract::block);
                    assertEquals(value, connection.sync().get(key));
                    for (int i = 0; i < 100; i++) {
                        connection.async().get(key);
                    }
                    if (random.nextBoolean()) {
                        assertEquals(value, connection.sync().get(key));
                    }
                    connection.close();
                }
            });
        } finally {
            resources.shutdown(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS);
        }
        awaitStrands(0);
    }
}
