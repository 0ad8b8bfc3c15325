package org.cabrank.httpserver.example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import javax.net.ssl.SSLContext;

/** Answers an upload of any size with its checksum. Nothing of it is Cabrank's: any provider serves it. */
public final class UploadService {
    private UploadService() {}

    public static void main(String[] args) throws Exception {
        start(8080, null);
    }

    /** @param executor runs the handlers; null: threads of the server do */
    static HttpServer start(int port, Executor executor) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(executor);
        server.createContext("/upload", UploadService::upload);
        server.start();
        return server;
    }

    static HttpsServer startSecure(int port, SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/upload", UploadService::upload);
        server.start();
        return server;
    }

    private static void upload(HttpExchange exchange) throws IOException {
        CheckedInputStream body = new CheckedInputStream(exchange.getRequestBody(), new CRC32());
        body.transferTo(OutputStream.nullOutputStream()); // waits for the client
        byte[] answer = Long.toHexString(body.getChecksum().getValue()).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
