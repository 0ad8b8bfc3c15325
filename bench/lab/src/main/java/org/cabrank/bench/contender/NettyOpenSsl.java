package org.cabrank.bench.contender;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.cabrank.tls.EngineFactory;

/** TLS engines of Netty's tcnative (BoringSSL), which Cabrank's servers and the load generator also use. */
public final class NettyOpenSsl implements EngineFactory {

    static final String TUNING = "TLS: BoringSSL by Netty's tcnative";

    private final SslContext context;
    private final ByteBufAllocator buffers = PooledByteBufAllocator.DEFAULT;

    private NettyOpenSsl(SslContext context) {
        this.context = context;
    }

    /** Returns null if the engines are available on this machine. */
    public static String unavailableReason() {
        return OpenSsl.isAvailable()
                ? null
                : "Netty's tcnative does not run here (its native library is built for linux-x86_64 alone): "
                        + OpenSsl.unavailabilityCause();
    }

    public static List<String> jvmFlags() {
        return NettyJvmFlags.of(Runtime.version().feature());
    }

    static NettyOpenSsl server(LabTls tls) throws IOException {
        return new NettyOpenSsl(serverContext(tls, SslProvider.OPENSSL_REFCNT));
    }

    /** Makes client engines that trust only the certificate of {@code tls}, and do not check its host name. */
    public static NettyOpenSsl client(LabTls tls) throws IOException {
        Path certificate = tls.certificate();
        return new NettyOpenSsl(SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .protocols(LabTls.VERSION)
                .trustManager(certificate.toFile())
                .endpointIdentificationAlgorithm(null)
                .build());
    }

    static SslContext serverContext(LabTls tls, SslProvider provider) throws IOException {
        String unavailableReason = provider == SslProvider.JDK ? null : unavailableReason();
        if (unavailableReason != null) {
            throw new ContenderUnavailableException(unavailableReason);
        }
        SslContextBuilder builder = SslContextBuilder.forServer(
                        tls.certificate().toFile(), tls.key().toFile())
                .sslProvider(provider)
                .protocols(LabTls.VERSION);
        // With BoringSSL, a server cannot choose the cipher suites of TLS 1.3.
        return (provider == SslProvider.JDK ? builder.ciphers(List.of(LabTls.CIPHER_SUITE)) : builder).build();
    }

    @Override
    public SSLEngine newEngine(String host, int port) {
        return context.newEngine(buffers);
    }

    /** Does nothing, because the context has configured the engine. */
    @Override
    public void configure(SSLEngine engine, SSLParameters parameters) {}

    @Override
    public boolean prefersDirectBuffers() {
        return true;
    }

    @Override
    public void release(SSLEngine engine) {
        ReferenceCountUtil.release(engine);
    }
}
