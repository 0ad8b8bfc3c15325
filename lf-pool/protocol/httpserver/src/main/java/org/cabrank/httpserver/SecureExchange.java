package org.cabrank.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import javax.net.ssl.SSLSession;
import org.cabrank.stream.Connection;
import org.cabrank.tls.TlsConnection;

/** An exchange over TLS. Programs recognise it by its type {@link HttpsExchange}. */
final class SecureExchange extends HttpsExchange {
    private final ServedExchange exchange;
    private final TlsConnection connection;

    private SecureExchange(ServedExchange exchange, TlsConnection connection) {
        this.exchange = exchange;
        this.connection = connection;
    }

    static HttpExchange of(ServedExchange exchange, Connection connection) {
        return connection instanceof TlsConnection tls ? new SecureExchange(exchange, tls) : exchange;
    }

    @Override
    public SSLSession getSSLSession() {
        return connection.session();
    }

    @Override
    public Headers getRequestHeaders() {
        return exchange.getRequestHeaders();
    }

    @Override
    public Headers getResponseHeaders() {
        return exchange.getResponseHeaders();
    }

    @Override
    public URI getRequestURI() {
        return exchange.getRequestURI();
    }

    @Override
    public String getRequestMethod() {
        return exchange.getRequestMethod();
    }

    @Override
    public HttpContext getHttpContext() {
        return exchange.getHttpContext();
    }

    @Override
    public void close() {
        exchange.close();
    }

    @Override
    public InputStream getRequestBody() {
        return exchange.getRequestBody();
    }

    @Override
    public OutputStream getResponseBody() {
        return exchange.getResponseBody();
    }

    @Override
    public void sendResponseHeaders(int code, long length) throws IOException {
        exchange.sendResponseHeaders(code, length);
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return exchange.getRemoteAddress();
    }

    @Override
    public int getResponseCode() {
        return exchange.getResponseCode();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return exchange.getLocalAddress();
    }

    @Override
    public String getProtocol() {
        return exchange.getProtocol();
    }

    @Override
    public Object getAttribute(String name) {
        return exchange.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, Object value) {
        exchange.setAttribute(name, value);
    }

    @Override
    public void setStreams(InputStream in, OutputStream out) {
        exchange.setStreams(in, out);
    }

    @Override
    public HttpPrincipal getPrincipal() {
        return exchange.getPrincipal();
    }

    @Override
    public String toString() {
        return exchange.toString();
    }
}
