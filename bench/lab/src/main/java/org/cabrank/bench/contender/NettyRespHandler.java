package org.cabrank.bench.contender;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FixedRedisMessagePool;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.InlineCommandRedisMessage;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.HandlerWork;

/** PING, SET, GET and DEBUG SLEEP behind Netty's own codec, over a map such as Cabrank's contenders have. */
@Sharable
final class NettyRespHandler extends NettyHandler {
    /** Elements of an array, and levels. */
    private static final int ARRAYS_MAX = 1_024;

    private static final int INLINE_BYTES_MAX = 64 << 10;
    private static final SimpleStringRedisMessage PONG = new SimpleStringRedisMessage("PONG");
    private static final double NS_PER_SECOND = 1e9;

    private final HandlerWork work;
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();

    NettyRespHandler(HandlerWork work) {
        this.work = work;
    }

    static void addCodec(ChannelPipeline pipeline) {
        pipeline.addLast(
                new RedisDecoder(INLINE_BYTES_MAX, FixedRedisMessagePool.INSTANCE, true),
                new RedisBulkStringAggregator(),
                new RedisArrayAggregator(ARRAYS_MAX, ARRAYS_MAX),
                new RedisEncoder());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws InterruptedException {
        try {
            work.perform();
            context.write(reply(message), context.voidPromise());
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private RedisMessage reply(Object message) throws InterruptedException {
        if (message instanceof InlineCommandRedisMessage inline) {
            return inline.content().equalsIgnoreCase("PING") ? PONG : unknown();
        }
        if (!(message instanceof ArrayRedisMessage command)
                || command.children().isEmpty()) {
            return unknown();
        }
        List<RedisMessage> arguments = command.children();
        int count = arguments.size();
        ByteBuf name = content(arguments.get(0));
        if (is(name, "GET") && count == 2) {
            byte[] value = values.get(key(arguments.get(1)));
            return value == null
                    ? FullBulkStringRedisMessage.NULL_INSTANCE
                    : new FullBulkStringRedisMessage(Unpooled.wrappedBuffer(value));
        }
        if (is(name, "SET") && count == 3) {
            values.put(key(arguments.get(1)), bytes(arguments.get(2)));
            return FixedRedisMessagePool.INSTANCE.getSimpleString("OK");
        }
        if (is(name, "PING") && count == 1) {
            return PONG;
        }
        if (is(name, "DEBUG") && count == 3 && is(content(arguments.get(1)), "SLEEP")) {
            String seconds = content(arguments.get(2)).toString(StandardCharsets.US_ASCII);
            TimeUnit.NANOSECONDS.sleep(Math.round(Double.parseDouble(seconds) * NS_PER_SECOND));
            return FixedRedisMessagePool.INSTANCE.getSimpleString("OK");
        }
        return unknown();
    }

    private static ErrorRedisMessage unknown() {
        return new ErrorRedisMessage("ERR unknown command");
    }

    private static ByteBuf content(RedisMessage argument) {
        return argument instanceof FullBulkStringRedisMessage string ? string.content() : Unpooled.EMPTY_BUFFER;
    }

    private static byte[] bytes(RedisMessage argument) {
        ByteBuf content = content(argument);
        byte[] bytes = new byte[content.readableBytes()];
        content.getBytes(content.readerIndex(), bytes);
        return bytes;
    }

    private static String key(RedisMessage argument) {
        return content(argument).toString(StandardCharsets.ISO_8859_1);
    }

    private static boolean is(ByteBuf text, String word) {
        if (text.readableBytes() != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((text.getByte(text.readerIndex() + i) & ~0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
