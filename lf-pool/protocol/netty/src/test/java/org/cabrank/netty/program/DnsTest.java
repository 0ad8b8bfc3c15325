package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DefaultDnsResponse;
import io.netty.handler.codec.dns.DnsOpCode;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.handler.codec.dns.TcpDnsQueryDecoder;
import io.netty.handler.codec.dns.TcpDnsResponseEncoder;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.concurrent.Future;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Netty's DNS resolver over datagrams, and over TCP after a truncated answer. */
class DnsTest extends ProgramContract {
    private final AtomicInteger overTcp = new AtomicInteger();

    /** Answers hostN.test with 10.0.0.N, truncates answers for large.test, and is silent for silent.test. */
    private InetSocketAddress serve() {
        for (; ; ) { // until a port is free for both: a port of TCP alone may be taken by a client of another test
            InetSocketAddress address =
                    (InetSocketAddress) done(serveDatagrams()).channel().localAddress();
            ChannelFuture connections = serveConnections(address);
            assertTrue(connections.awaitUninterruptibly(PATIENCE_MS));
            if (!(connections.cause() instanceof BindException)) {
                done(connections);
                return address;
            }
        }
    }

    private ChannelFuture serveDatagrams() {
        return new Bootstrap()
                .group(group)
                .channel(transport.datagrams())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new DatagramDnsQueryDecoder(),
                                        new DatagramDnsResponseEncoder(),
                                        new Datagrams());
                    }
                })
                .bind(loopback());
    }

    private ChannelFuture serveConnections(InetSocketAddress address) {
        return new ServerBootstrap()
                .group(group)
                .channel(transport.listening())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new TcpDnsQueryDecoder(), new TcpDnsResponseEncoder(), new Connections());
                    }
                })
                .bind(address);
    }

    private static final class Datagrams extends SimpleChannelInboundHandler<DatagramDnsQuery> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramDnsQuery query) {
            String name = query.recordAt(DnsSection.QUESTION).name();
            if (name.startsWith("silent")) {
                return;
            }
            DnsResponse response =
                    new DatagramDnsResponse(query.recipient(), query.sender(), query.id(), DnsOpCode.QUERY);
            if (name.startsWith("large")) {
                response.setTruncated(true);
                response.addRecord(DnsSection.QUESTION, new DefaultDnsQuestion(name, DnsRecordType.A));
            } else {
                answer(query, response);
            }
            context.writeAndFlush(response);
        }
    }

    private final class Connections extends SimpleChannelInboundHandler<DnsQuery> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DnsQuery query) {
            overTcp.incrementAndGet();
            context.writeAndFlush(answer(query, new DefaultDnsResponse(query.id())));
        }
    }

    private static DnsResponse answer(DnsQuery query, DnsResponse response) {
        DnsQuestion question = query.recordAt(DnsSection.QUESTION);
        response.addRecord(DnsSection.QUESTION, new DefaultDnsQuestion(question.name(), question.type()));
        if (!question.type().equals(DnsRecordType.A)) {
            response.setCode(DnsResponseCode.NXDOMAIN);
            return response;
        }
        String digits = question.name().replaceAll("\\D", "");
        byte last = digits.isEmpty() ? 0 : (byte) Integer.parseInt(digits);
        response.addRecord(
                DnsSection.ANSWER,
                new DefaultDnsRawRecord(
                        question.name(), DnsRecordType.A, 60, Unpooled.wrappedBuffer(new byte[] {10, 0, 0, last})));
        return response;
    }

    private DnsNameResolver resolver(InetSocketAddress server) {
        return new DnsNameResolverBuilder(group.next())
                .datagramChannelType(transport.datagrams())
                .socketChannelType(transport.connection())
                .nameServerProvider(new SingletonDnsServerAddressStreamProvider(server))
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_ONLY)
                .queryTimeoutMillis(PATIENCE_MS)
                .build();
    }

    @Test
    void manyNamesAreResolvedAtATime() throws Exception {
        try (DnsNameResolver resolver = resolver(serve())) {
            List<Future<InetAddress>> addresses = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                addresses.add(resolver.resolve("host" + i + ".test"));
            }
            for (int i = 0; i < 100; i++) {
                assertEquals("10.0.0." + i, result(addresses.get(i)).getHostAddress());
            }
        }
    }

    @Test
    void truncatedAnswerIsAskedForOverTcp() throws Exception {
        try (DnsNameResolver resolver = resolver(serve())) {
            assertEquals("10.0.0.7", result(resolver.resolve("large7.test")).getHostAddress());
            assertTrue(overTcp.get() > 0);
        }
    }

    private DnsNameResolver impatientResolver(InetSocketAddress server, int timeoutMs) {
        return new DnsNameResolverBuilder(group.next())
                .datagramChannelType(transport.datagrams())
                .nameServerProvider(new SingletonDnsServerAddressStreamProvider(server))
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_ONLY)
                .queryTimeoutMillis(timeoutMs)
                .maxQueriesPerResolve(1)
                .build();
    }

    private static void assertGivenUp(Future<InetAddress> address) {
        assertTrue(address.awaitUninterruptibly(PATIENCE_MS));
        assertInstanceOf(DnsNameResolverTimeoutException.class, address.cause().getCause());
    }

    @Test
    void silentServerIsGivenUp() {
        try (DnsNameResolver resolver = impatientResolver(serve(), 50)) {
            assertGivenUp(resolver.resolve("silent.test"));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void loadWithSilenceTruncationAndBlockingLeavesNothing() throws Exception {
        InetSocketAddress server = serve();
        load(random -> {
            reset(server, new byte[] {0, 100, 1}); // a part of a query
            try (DnsNameResolver resolver = resolver(server);
                    DnsNameResolver impatient = impatientResolver(server, 20)) {
                Future<InetAddress> silent = impatient.resolve("silent.test");
                int number = random.nextInt(100);
                Future<InetAddress> address = resolver.resolve("host" + number + ".test");
                address.addListener(resolved -> block()); // in the resolver's event loop
                assertEquals("10.0.0.7", result(resolver.resolve("large7.test")).getHostAddress());
                assertEquals("10.0.0." + number, result(address).getHostAddress());
                assertGivenUp(silent);
            }
        });
        awaitStrands(2);
    }
}
