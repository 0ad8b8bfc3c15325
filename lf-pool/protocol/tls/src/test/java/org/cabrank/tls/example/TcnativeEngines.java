package org.cabrank.tls.example;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.cabrank.tls.EngineFactory;

/** BoringSSL or OpenSSL, by Netty's tcnative. Versions, suites, ALPN and client certificates are those of Netty's context. */
public record TcnativeEngines(SslContext context) implements EngineFactory {
    @Override
    public SSLEngine newEngine(String host, int port) {
        PooledByteBufAllocator buffers = PooledByteBufAllocator.DEFAULT;
        return host == null ? context.newEngine(buffers) : context.newEngine(buffers, host, port);
    }

    @Override
    public void configure(SSLEngine engine, SSLParameters parameters) {
        // the context has done it
    }

    @Override
    public boolean prefersDirectBuffers() {
        return true;
    }

    @Override
    public void release(SSLEngine engine) {
        ReferenceCountUtil.release(engine);
    }
}
