package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The PROXY protocol by Netty's codec: the server learns the client's address, and answers with it before the echo. */
class ProxyProtocolTest extends ProgramContract {
    private static final class Answers extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HAProxyMessage proxied) {
                ByteBuf client = context.alloc().buffer();
                client.writeCharSequence(
                        proxied.sourceAddress() + " " + proxied.sourcePort() + " ", StandardCharsets.US_ASCII);
                proxied.release();
                context.writeAndFlush(client);
            } else {
                context.writeAndFlush(message);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable invalid) {
            context.close();
        }
    }

    private InetSocketAddress serve() {
        return addressOf(done(new ServerBootstrap()
                .group(group)
                .channel(transport.listening())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HAProxyMessageDecoder(), new Answers());
                    }
                })
                .bind(loopback())));
    }

    /** @param step bytes of each segment */
    private static String ask(InetSocketAddress server, byte[] request, int step) throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) PATIENCE_MS);
            for (int i = 0; i < request.length; i += step) {
                socket.getOutputStream().write(request, i, Math.min(step, request.length - i));
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            while (!answer.toString(StandardCharsets.US_ASCII).endsWith("!")) {
                answer.write(socket.getInputStream().read());
            }
            return answer.toString(StandardCharsets.US_ASCII);
        }
    }

    @Test
    void headerOfEitherVersionNamesTheClient() throws Exception {
        InetSocketAddress server = serve();
        byte[] text = "PROXY TCP4 192.0.2.7 198.51.100.1 50000 443\r\nhello!".getBytes(StandardCharsets.US_ASCII);
        byte[] binary = ByteBuffer.allocate(34)
                .put(new byte[] {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10, 0x21, 0x11, 0, 12})
                .put(new byte[] {(byte) 192, 0, 2, 7, (byte) 198, 51, 100, 1})
                .putShort((short) 50_000)
                .putShort((short) 443)
                .put("hello!".getBytes(StandardCharsets.US_ASCII))
                .array();
        for (int step : new int[] {1, 7, 1_000}) {
            assertEquals("192.0.2.7 50000 hello!", ask(server, text, step));
            assertEquals("192.0.2.7 50000 hello!", ask(server, binary, step));
        }
    }

    @Test
    void connectionWithAnInvalidHeaderIsClosed() throws Exception {
        InetSocketAddress server = serve();
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.setSoTimeout((int) PATIENCE_MS);
            socket.getOutputStream().write("PROXY TCP4 nobody\r\n".getBytes(StandardCharsets.US_ASCII));
            assertTrue(socket.getInputStream().read() < 0);
        }
    }
}
