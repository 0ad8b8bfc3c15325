package org.cabrank.bench.run;

import java.io.IOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.contender.NettyOpenSsl;
import org.cabrank.bench.load.ClientTls;

/** TLS of the load generator. Prefers BoringSSL, because the JDK's TLS is slower and may make the generator the bottleneck. */
final class GeneratorTls {

    private GeneratorTls() {}

    static ClientTls of(LabTls tls) throws IOException {
        return NettyOpenSsl.unavailableReason() == null ? byOpenSsl(tls) : byJdk(tls);
    }

    private static ClientTls byOpenSsl(LabTls tls) throws IOException {
        NettyOpenSsl engines = NettyOpenSsl.client(tls);
        return new ClientTls() {
            @Override
            public SSLEngine engine() {
                return engines.newEngine(null, 0);
            }

            @Override
            public void release(SSLEngine engine) {
                engines.release(engine);
            }
        };
    }

    private static ClientTls byJdk(LabTls tls) throws IOException {
        SSLContext context = tls.clientContext();
        return () -> {
            SSLEngine engine = context.createSSLEngine(); // without a host there is no session to resume
            engine.setUseClientMode(true);
            engine.setEnabledProtocols(new String[] {LabTls.VERSION});
            engine.setEnabledCipherSuites(new String[] {LabTls.CIPHER_SUITE});
            return engine;
        };
    }

    static String text() {
        String unavailableReason = NettyOpenSsl.unavailableReason();
        return "The load generator's TLS is "
                + (unavailableReason == null
                        ? "BoringSSL by Netty's tcnative."
                        : "the JDK's (" + unavailableReason + ").");
    }
}
