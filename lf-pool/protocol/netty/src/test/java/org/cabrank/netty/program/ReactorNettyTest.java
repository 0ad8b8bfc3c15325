package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** Reactor Netty, which takes a transport as {@link LoopResources}. */
class ReactorNettyTest extends ProgramContract {
    /** The group and its channels, as Reactor Netty asks for them. */
    private final class Loops implements LoopResources {
        @Override
        public EventLoopGroup onServer(boolean useNative) {
            return group;
        }

        @Override
        public <C extends Channel> C onChannel(Class<C> type, EventLoopGroup loops) {
            try {
                return type.cast(classOf(type).getConstructor().newInstance());
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        @SuppressWarnings("unchecked") // by the type
        public <C extends Channel> Class<? extends C> onChannelClass(Class<C> type, EventLoopGroup loops) {
            return (Class<? extends C>) classOf(type);
        }

        private Class<? extends Channel> classOf(Class<?> type) {
            if (type == ServerSocketChannel.class) {
                return transport.listening();
            }
            return type == SocketChannel.class ? transport.connection() : transport.datagrams();
        }
    }

    private DisposableServer serve(HttpProtocol protocol) {
        return HttpServer.create()
                .runOn(new Loops())
                .protocol(protocol)
                .bindAddress(ProgramContract::loopback)
                .route(routes -> routes.get("/hello", (request, response) -> response.sendString(Mono.just("hello")))
                        .get(
                                "/blocking",
                                (request, response) -> response.sendString(Mono.fromCallable(() -> {
                                    block();
                                    return "unblocked";
                                })))
                        .get(
                                "/endless",
                                (request, response) -> response.sendString(
                                        Flux.just("x".repeat(10_000)).repeat()))
                        .post(
                                "/echo",
                                (request, response) ->
                                        response.send(request.receive().retain())))
                .bindNow(Await.PATIENCE);
    }

    private static Mono<String> get(HttpClient client, String path) {
        return client.get().uri(path).responseContent().aggregate().asString();
    }

    private static byte[] echo(HttpClient client, byte[] body) {
        return client.post()
                .uri("/echo")
                .send(ByteBufFlux.fromInbound(Mono.just(body)))
                .responseContent()
                .aggregate()
                .asByteArray()
                .block(Await.PATIENCE);
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP11", "H2C"})
    void requestsAndLargeBodiesAreAnswered(HttpProtocol protocol) {
        DisposableServer server = serve(protocol);
        ConnectionProvider connections = ConnectionProvider.create("program", 8);
        try {
            HttpClient client = HttpClient.create(connections)
                    .runOn(new Loops())
                    .protocol(protocol)
                    .remoteAddress(server::address);
            List<String> answers = Flux.range(0, 200)
                    .flatMap(i -> get(client, "/hello"), 16)
                    .collectList()
                    .block(Await.PATIENCE);
            assertEquals(200, answers.size());
            assertEquals("hello", answers.get(199));
            byte[] body = new byte[1 << 20];
            new Random(1).nextBytes(body);
            assertArrayEquals(body, echo(client, body));
        } finally {
            connections.disposeLater().block(Await.PATIENCE);
            server.disposeNow(Duration.ofSeconds(10));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void loadWithResetsSlowReadersAndBlockingLeavesNothing() throws Exception {
        DisposableServer server = serve(HttpProtocol.HTTP11);
        InetSocketAddress address = (InetSocketAddress) server.address();
        ConnectionProvider connections = ConnectionProvider.create("program", 8);
        HttpClient client = HttpClient.create(connections).runOn(new Loops()).remoteAddress(server::address);
        load(random -> {
            reset(address, new byte[] {'G', 'E', 'T'});
            assertEquals("unblocked", get(client, "/blocking").block(Await.PATIENCE));
            byte[] body = new byte[1 + random.nextInt(200_000)];
            random.nextBytes(body);
            assertArrayEquals(body, echo(client, body));
            client.get()
                    .uri("/endless")
                    .responseContent()
                    .limitRate(1)
                    .doOnNext(read -> block())
                    .take(3) // and then the connection is closed
                    .blockLast(Await.PATIENCE);
        });
        connections.disposeLater().block(Await.PATIENCE);
        awaitStrands(1);
        server.disposeNow(Duration.ofSeconds(10));
    }
}
