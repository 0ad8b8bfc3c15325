package org.cabrank.bench.contender;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.cabrank.http.message.EverySecond;
import org.cabrank.http.message.HttpDate;

/** The plaintext service on Netty's codec, with the fields that all contenders send. */
@Sharable
final class NettyHttpHandler extends NettyHandler {

    private static final ByteBuf HELLO = content(Plaintext.BODY);
    private static final ByteBuf SLOW_HELLO = content(Plaintext.SLOW_BODY);
    private static final AsciiString HELLO_BYTES = AsciiString.cached(String.valueOf(HELLO.readableBytes()));

    /** Validates nothing, because the server's own fields contain no forbidden characters. */
    private static final HttpHeadersFactory FIELDS =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private static final EverySecond<AsciiString> DATE =
            new EverySecond<>(second -> AsciiString.cached(HttpDate.format(second)));

    private final HandlerWork work;

    NettyHttpHandler(HandlerWork work) {
        this.work = work;
    }

    private static ByteBuf content(String body) {
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer()
                .writeBytes(body.getBytes(StandardCharsets.US_ASCII))
                .asReadOnly());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof HttpRequest request) {
                boolean slow = work.perform();
                answer(context, request, slow ? SLOW_HELLO : HELLO);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void answer(ChannelHandlerContext context, HttpRequest request, ByteBuf content) {
        boolean understood = request.decoderResult().isSuccess();
        FullHttpResponse response = !understood
                ? error(HttpResponseStatus.BAD_REQUEST)
                : HttpMethod.GET.equals(request.method())
                        ? hello(content)
                        : error(HttpResponseStatus.METHOD_NOT_ALLOWED);
        if (understood && HttpUtil.isKeepAlive(request)) {
            if (!request.protocolVersion().isKeepAliveDefault()) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
            }
            context.write(response, context.voidPromise());
        } else {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            context.write(response).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private FullHttpResponse hello(ByteBuf content) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content.duplicate(), FIELDS, FIELDS);
        response.headers()
                .set(HttpHeaderNames.DATE, DATE.current())
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
                .set(HttpHeaderNames.CONTENT_LENGTH, HELLO_BYTES);
        return response;
    }

    private FullHttpResponse error(HttpResponseStatus status) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER, FIELDS, FIELDS);
        response.headers()
                .set(HttpHeaderNames.DATE, DATE.current())
                .set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
        return response;
    }
}
