package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketClientCompressionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A WebSocket server of Netty's codecs, under Netty's client, the JDK's, and frames by hand. */
class WebSocketTest extends ProgramContract {
    private static final int MESSAGE_MAX = 1 << 20;

    private final Queue<Channel> accepted = new ConcurrentLinkedQueue<>();

    private InetSocketAddress serve(Supplier<ChannelHandler> handlers) {
        return addressOf(done(new ServerBootstrap()
                .group(group)
                .channel(transport.listening())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(16_384, 65_536))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(65_536),
                                        new WebSocketServerCompressionHandler(0),
                                        new WebSocketServerProtocolHandler("/", null, true, MESSAGE_MAX),
                                        new WebSocketFrameAggregator(MESSAGE_MAX),
                                        handlers.get());
                        accepted.add(channel);
                        channel.closeFuture().addListener(closed -> accepted.remove(channel));
                    }
                })
                .bind(loopback())));
    }

    private static final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            context.writeAndFlush(frame.retain());
        }
    }

    private Channel connect(InetSocketAddress server, BlockingQueue<String> texts) throws Exception {
        CountDownLatch shaken = new CountDownLatch(1);
        URI uri = URI.create("ws://localhost:" + server.getPort() + "/");
        Channel channel = done(new Bootstrap()
                        .group(group)
                        .channel(transport.connection())
                        .handler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel connection) {
                                connection
                                        .pipeline()
                                        .addLast(
                                                new HttpClientCodec(),
                                                new HttpObjectAggregator(65_536),
                                                new WebSocketClientCompressionHandler(0),
                                                new WebSocketClientProtocolHandler(
                                                        WebSocketClientHandshakerFactory.newHandshaker(
                                                                uri,
                                                                WebSocketVersion.V13,
                                                                null,
                                                                true,
                                                                new DefaultHttpHeaders(),
                                                                MESSAGE_MAX)),
                                                new Texts(texts, shaken));
                            }
                        })
                        .connect(server))
                .channel();
        assertTrue(shaken.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        return channel;
    }

    private static final class Texts extends SimpleChannelInboundHandler<TextWebSocketFrame> {
        private final BlockingQueue<String> texts;
        private final CountDownLatch shaken;

        Texts(BlockingQueue<String> texts, CountDownLatch shaken) {
            this.texts = texts;
            this.shaken = shaken;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                shaken.countDown();
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
            texts.add(frame.text());
        }
    }

    @Test
    void compressedMessagesComeBack() throws Exception {
        BlockingQueue<String> texts = new LinkedBlockingQueue<>();
        Channel client = connect(serve(Echo::new), texts);
        assertTrue(client.pipeline().names().stream().anyMatch(name -> name.contains("PerMessageDeflate")));
        for (int length = 1; length <= 300_000; length *= 3) {
            String text = "ab".repeat(length);
            client.writeAndFlush(new TextWebSocketFrame(text));
            assertEquals(text, texts.poll(PATIENCE_MS, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void clientOfTheJdkIsAnswered() throws Exception {
        InetSocketAddress server = serve(Echo::new);
        CompletableFuture<String> text = new CompletableFuture<>();
        CompletableFuture<Integer> code = new CompletableFuture<>();
        WebSocket client = result(HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://localhost:" + server.getPort() + "/"), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                        text.complete(data.toString());
                        return WebSocket.Listener.super.onText(socket, data, last);
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
                        code.complete(status);
                        return null;
                    }
                }));
        result(client.sendText("from the ", false));
        result(client.sendText("JDK", true));
        assertEquals("from the JDK", result(text));
        result(client.sendClose(WebSocket.NORMAL_CLOSURE, ""));
        assertEquals(WebSocket.NORMAL_CLOSURE, result(code));
    }

    /** A frame for each byte of the message, a segment for each byte of the frames, and a ping between any two frames. */
    @Test
    void messageInFragmentsOfAByteIsOneMessage() throws Exception {
        String message = "grüß dich";
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        try (RawWebSocket client = new RawWebSocket(serve(Echo::new), 0)) {
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            for (int i = 0; i < bytes.length; i++) {
                frames.writeBytes(RawWebSocket.frame(
                        i == 0 ? RawWebSocket.TEXT : RawWebSocket.CONTINUATION,
                        i == bytes.length - 1,
                        Arrays.copyOfRange(bytes, i, i + 1)));
                frames.writeBytes(RawWebSocket.frame(RawWebSocket.PING, true, new byte[] {(byte) i}));
            }
            client.send(frames.toByteArray(), 1);
            int pongs = 0;
            String echo = null;
            while (echo == null || pongs < bytes.length) {
                RawWebSocket.Frame frame = client.read();
                if (frame.opcode() == RawWebSocket.PONG) {
                    assertEquals(pongs++, frame.payload()[0]);
                } else {
                    echo = frame.text();
                }
            }
            assertEquals(message, echo);
        }
    }

    @Test
    void closeCodesAreAnswered() throws Exception {
        InetSocketAddress server = serve(Echo::new);
        for (int code : new int[] {1000, 1001, 1011, 3000, 4999}) {
            try (RawWebSocket client = new RawWebSocket(server, 0)) {
                client.send(RawWebSocket.text("x"));
                assertEquals("x", client.read().text());
                client.send(RawWebSocket.closeFrame(code));
                assertEquals(code, client.read().closeCode());
                assertTrue(client.isAtEnd());
            }
        }
    }

    @Test
    void resetInTheMidstOfAMessageClosesTheChannel() throws Exception {
        InetSocketAddress server = serve(Echo::new);
        try (RawWebSocket client = new RawWebSocket(server, 0)) {
            client.send(Arrays.copyOf(RawWebSocket.text("half of it"), 9));
            client.reset();
        }
        Await.until("the channel is closed", accepted::isEmpty);
    }

    /** Writes numbered messages while the channel has room. */
    private static final class Numbers extends SimpleChannelInboundHandler<WebSocketFrame> {
        private final int messages;
        private final String filling;
        private int next;

        Numbers(int messages, int bytes) {
            this.messages = messages;
            this.filling = "x".repeat(bytes);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame start) {
            write(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            write(context);
        }

        private void write(ChannelHandlerContext context) {
            while (next < messages && context.channel().isWritable()) {
                context.write(new TextWebSocketFrame(next++ + filling));
            }
            context.flush();
        }
    }

    @Test
    void readerThatStopsHoldsUpItsOwnChannelAlone() throws Exception {
        int messages = 2_000;
        int bytes = 10_000;
        InetSocketAddress server = serve(() -> new Numbers(messages, bytes));
        try (RawWebSocket slow = new RawWebSocket(server, 4_096);
                RawWebSocket quick = new RawWebSocket(server, 0)) {
            Channel slowChannel = accepted.peek();
            assertNotNull(slowChannel);
            slow.send(RawWebSocket.text("start"));
            quick.send(RawWebSocket.text("start"));
            assertNumbers(quick, messages);
            Await.until("the slow reader's channel is full", () -> !slowChannel.isWritable());
            assertNumbers(slow, messages);
        }
    }

    private static void assertNumbers(RawWebSocket client, int messages) throws IOException {
        for (int i = 0; i < messages; i++) {
            String text = client.read().text();
            assertEquals(String.valueOf(i), text.substring(0, text.indexOf('x')));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void loadWithResetsSlowReadersAndBlockingLeavesNothing() throws Exception {
        InetSocketAddress echo = serve(() -> new SimpleChannelInboundHandler<TextWebSocketFrame>() {
            @Override
            protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
                if (frame.text().startsWith("block")) {
                    block();
                }
                context.writeAndFlush(frame.retain());
            }
        });
        InetSocketAddress numbers = serve(() -> new Numbers(2_000, 10_000));
        load(random -> {
            try (RawWebSocket client = new RawWebSocket(echo, 0)) {
                for (int i = 0; i < 50; i++) {
                    String text = random.nextInt(10) == 0 ? "block " + i : "go " + i;
                    client.send(RawWebSocket.text(text));
                    assertEquals(text, client.read().text());
                }
                client.send(Arrays.copyOf(RawWebSocket.text("half of it"), 9));
                client.reset();
            }
            try (RawWebSocket slow = new RawWebSocket(numbers, 4_096)) {
                slow.send(RawWebSocket.text("start"));
                assertNumbers(slow, random.nextInt(20));
                if (random.nextBoolean()) {
                    slow.reset();
                }
            }
            BlockingQueue<String> texts = new LinkedBlockingQueue<>();
            Channel compressing = connect(echo, texts);
            String text = "ab".repeat(random.nextInt(50_000));
            compressing.writeAndFlush(new TextWebSocketFrame(text));
            assertEquals(text, texts.poll(PATIENCE_MS, TimeUnit.MILLISECONDS));
            done(compressing.close());
        });
        awaitStrands(2);
    }
}
