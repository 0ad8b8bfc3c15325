package org.cabrank.bench.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.SetParams;

/** The clients that most Java services use, with both versions of the protocol, on the backends and modes that can differ. */
@ParameterizedClass(name = "{0}, {1} threads")
@CsvSource({"epoll, 1", "epoll, 4", "iouring, 1"})
@Timeout(120)
record RespClientsTest(String backend, int threads) {
    private static final int PIPELINED = 1_000;
    private static final String LONG_VALUE = "0123456789".repeat(30_000);

    private static StreamServer server;

    @BeforeParameterizedClassInvocation
    static void start(String backend, int threads) throws Exception {
        try {
            server = StreamServer.builder()
                    .listen("127.0.0.1", 0)
                    .backend(Backend.named(backend))
                    .threadsPerShard(threads)
                    .handler(RespService.ofHalfTheHeap().handlers(HandlerWork.NONE))
                    .start();
        } catch (BackendUnavailableException notHere) {
            assumeTrue(false, notHere.getMessage());
        }
    }

    @AfterParameterizedClassInvocation
    static void end() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = RedisProtocol.class,
            names = {"RESP2", "RESP3"})
    void jedisIsServed(RedisProtocol protocol) {
        DefaultJedisClientConfig config = DefaultJedisClientConfig.builder()
                .protocol(protocol)
                .clientName("jedis")
                .build();
        try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", server.port()), config)) {
            assertEquals("PONG", jedis.ping());
            assertEquals("jedis", jedis.clientGetname());
            jedis.flushAll();
            assertEquals(
                    "OK", jedis.set("key", "value", SetParams.setParams().nx().ex(100)));
            assertNull(jedis.set("key", "other", SetParams.setParams().nx()));
            assertEquals("value", jedis.get("key"));
            assertTrue(jedis.ttl("key") > 90);
            assertNull(jedis.get("none"));
            assertEquals(1, jedis.incr("number"));
            assertEquals("OK", jedis.mset("a", "1", "b", "2"));
            assertEquals(List.of("1", "2"), jedis.mget("a", "b"));
            assertEquals(2, jedis.del("a", "b", "c"));
            assertEquals(2, jedis.dbSize());
            assertEquals("OK", jedis.set("long", LONG_VALUE));
            assertEquals(LONG_VALUE, jedis.get("long"));
            assertEquals(
                    "ERR value is not an integer or out of range",
                    assertThrows(JedisDataException.class, () -> jedis.incr("key"))
                            .getMessage());
            assertTrue(jedis.info().contains("server_name:cabrank"));
            assertTrue(jedis.clientList().contains("name=jedis"));
            List<Response<Long>> sums = new ArrayList<>();
            try (Pipeline pipeline = jedis.pipelined()) {
                for (int i = 0; i < PIPELINED; i++) {
                    sums.add(pipeline.incr("sum"));
                }
                pipeline.sync();
            }
            for (int i = 0; i < PIPELINED; i++) {
                assertEquals(i + 1, sums.get(i).get());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void lettuceIsServed(ProtocolVersion version) throws Exception {
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(server.port())
                .withClientName("lettuce")
                .build());
        client.setOptions(ClientOptions.builder().protocolVersion(version).build());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            assertEquals("PONG", connection.sync().ping());
            assertEquals("lettuce", connection.sync().clientGetname());
            connection.sync().flushall();
            assertEquals("OK", connection.sync().set("key", "value"));
            assertEquals("value", connection.sync().get("key"));
            assertNull(connection.sync().get("none"));
            assertEquals(true, connection.sync().expire("key", 100));
            assertTrue(connection.sync().pttl("key") > 90_000);
            assertEquals("OK", connection.sync().set("long", LONG_VALUE));
            assertEquals(LONG_VALUE, connection.sync().get("long"));
            assertEquals(
                    "ERR value is not an integer or out of range",
                    assertThrows(
                                    RedisCommandExecutionException.class,
                                    () -> connection.sync().incr("key"))
                            .getMessage());
            assertEquals(0, connection.sync().configGet("nothing").size());
            assertEquals("", connection.sync().configGet("save").get("save"));
            List<RedisFuture<Long>> sums = new ArrayList<>();
            for (int i = 0; i < PIPELINED; i++) {
                sums.add(connection.async().incr("sum"));
            }
            for (int i = 0; i < PIPELINED; i++) {
                assertEquals(i + 1, sums.get(i).get(20, TimeUnit.SECONDS));
            }
        } finally {
            client.shutdown(0, 5, TimeUnit.SECONDS);
        }
    }
}
