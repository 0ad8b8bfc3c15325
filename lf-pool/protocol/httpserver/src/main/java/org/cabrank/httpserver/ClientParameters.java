package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** The TLS parameters of one connection. A program's configurator sets them. */
final class ClientParameters extends HttpsParameters {
    private final HttpsConfigurator configurator;
    private final InetSocketAddress client;
    private SSLParameters parameters;

    ClientParameters(HttpsConfigurator configurator, InetSocketAddress client) {
        this.configurator = configurator;
        this.client = client;
    }

    @Override
    public HttpsConfigurator getHttpsConfigurator() {
        return configurator;
    }

    @Override
    public InetSocketAddress getClientAddress() {
        return client;
    }

    @Override
    public void setSSLParameters(SSLParameters params) {
        parameters = params;
    }

    @SuppressWarnings("deprecation") // the API keeps the single settings for older programs
    void applyTo(SSLEngine engine) {
        if (parameters != null) {
            engine.setSSLParameters(parameters);
            return;
        }
        if (getCipherSuites() != null) {
            engine.setEnabledCipherSuites(getCipherSuites());
        }
        if (getProtocols() != null) {
            engine.setEnabledProtocols(getProtocols());
        }
        if (getNeedClientAuth()) {
            engine.setNeedClientAuth(true);
        } else if (getWantClientAuth()) {
            engine.setWantClientAuth(true);
        }
    }
}
