package org.cabrank.http.example;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.cabrank.http.Http;
import org.cabrank.http.HttpBody;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpHandler;
import org.cabrank.http.HttpService;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.http.client.HttpCall;
import org.cabrank.http.client.HttpClient;
import org.cabrank.http.client.HttpResponse;
import org.cabrank.http.client.HttpResponseHandler;
import org.cabrank.http.client.HttpTransfer;
import org.cabrank.http.client.HttpUpload;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.Tls;

/** Examples of the package documentation and of the README. */
final class HttpRecipes {
    private HttpRecipes() {}

    static StreamServer serve(int port) throws IOException {
        StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", port)
                .handler(Http.server(exchange -> exchange.send(200, "text/plain", "hello")))
                .start();
        return server;
    }

    static HttpService limited(HttpHandler handler) {
        return Http.server(handler)
                .withLimits(HttpLimits.DEFAULT.withBodyBytes(10 << 20).withFields(50))
                .withTimeouts(HttpTimeouts.DEFAULT.withIdle(Duration.ofSeconds(20)));
    }

    static StreamServer secure(int port, SSLContext context, HttpHandler handler) throws IOException {
        Tls tls = Tls.server(context).applicationProtocols("http/1.1").build();
        return StreamServer.builder()
                .listen("127.0.0.1", port)
                .handler(tls.handlers(Http.server(handler)))
                .start();
    }

    static HttpHandler offloading(Executor executor) {
        return exchange -> {
            String query = exchange.query();
            exchange.offload(executor, () -> search(query), (own, found) -> own.send(200, "text/plain", found));
        };
    }

    private static String search(String query) {
        return "found " + query;
    }

    static HttpHandler answeringLater(Executor executor) {
        return exchange -> {
            HttpExchange kept = exchange.detach();
            executor.execute(() -> kept.send(200, "text/plain", "by " + kept.path()));
        };
    }

    static HttpHandler summing() {
        return exchange -> exchange.body(new HttpBody() {
            private long sum;

            @Override
            public void data(HttpExchange own, ByteBuffer bytes) {
                while (bytes.hasRemaining()) {
                    sum += bytes.get() & 0xff;
                }
            }

            @Override
            public void end(HttpExchange own, HttpFields trailers) {
                own.send(200, "text/plain", Long.toString(sum));
            }
        });
    }

    static HttpHandler counting(int lines) {
        return exchange -> {
            exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
            new Object() {
                private int written;

                void write() {
                    while (written < lines && exchange.isWritable()) {
                        exchange.write(ByteBuffer.wrap((written++ + "\n").getBytes()));
                    }
                    if (written < lines) {
                        exchange.whenWritable(this::write); // the client does not read as fast
                    } else {
                        exchange.end();
                    }
                }
            }.write();
            exchange.detach(); // the answer may end after this callback
        };
    }

    static HttpHandler file(ReactorFile file, long length) {
        return exchange -> exchange.sendFile(200, "application/octet-stream", file, 0, length);
    }

    static ReactorFile open(StreamServer server, Path path) throws IOException {
        return server.reactor().openFile(path);
    }

    static HttpClient secureClient(StreamReactor reactor, SSLContext context) {
        return Http.client(reactor)
                .withSecure((host, port, handler) -> Tls.client(context, host, port)
                        .applicationProtocols("http/1.1")
                        .build()
                        .connect(reactor, new InetSocketAddress(host, port), ConnectOptions.DEFAULT, handler));
    }

    static HttpCall counted(URI uri, int lines) {
        return HttpCall.of("POST", uri)
                .withBody(
                        HttpCall.UNKNOWN_LENGTH,
                        transfer -> new Object() {
                            private int written;

                            void write() {
                                while (written < lines && transfer.isWritable()) {
                                    transfer.write(ByteBuffer.wrap((written++ + "\n").getBytes()));
                                }
                                if (written < lines) {
                                    transfer.whenWritable(this::write); // the server does not read as fast
                                } else {
                                    transfer.end();
                                }
                            }
                        }.write());
    }

    static HttpHandler relaying(HttpClient client, URI origin) {
        return exchange -> {
            if (exchange.method().equals("CONNECT")) { // has no path
                exchange.send(405);
                return;
            }
            String query = exchange.query();
            String target = encoded(exchange.path() + (query == null ? "" : "?" + query));
            HttpCall call;
            try { // never with exchange.target(), which may name another host
                String uri = origin.getScheme() + "://" + origin.getRawAuthority() + target;
                call = HttpCall.of(exchange.method(), URI.create(uri));
            } catch (IllegalArgumentException wrong) { // a percent sign without two digits
                exchange.send(400);
                return;
            }
            Relay relay = new Relay(exchange.detach());
            if (exchange.bodyLength() != 0) {
                call = call.withBody(exchange.bodyLength(), relay);
                call = exchange.expectsContinue() ? call.expectContinue() : call;
                exchange.body(relay);
                exchange.pauseBody(); // until the origin takes it; a client that waits for a permission gets it then
            }
            client.send(call, relay);
        };
    }

    static final class Relay implements HttpUpload, HttpBody, HttpResponseHandler {
        private final HttpExchange exchange;
        private volatile HttpTransfer upload;
        private boolean begun;

        Relay(HttpExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void begin(HttpTransfer transfer) {
            upload = transfer;
            exchange.onGone(cause -> transfer.abort());
            exchange.resumeBody();
        }

        @Override
        public void data(HttpExchange own, ByteBuffer bytes) {
            upload.write(bytes);
            if (!upload.isWritable()) {
                own.pauseBody(); // the origin does not read as fast
                upload.whenWritable(own::resumeBody);
            }
        }

        @Override
        public void end(HttpExchange own, HttpFields trailers) {
            upload.end();
        }

        @Override
        public void failed(HttpExchange own, Throwable cause) {
            if (upload != null) {
                upload.abort();
            }
        }

        @Override
        public void head(HttpTransfer transfer, int status, HttpFields fields) {
            begun = true;
            exchange.begin(status, HttpExchange.UNKNOWN_LENGTH);
            exchange.onGone(cause -> transfer.abort());
        }

        @Override
        public void data(HttpTransfer transfer, ByteBuffer bytes) {
            exchange.write(bytes);
            if (!exchange.isWritable()) {
                transfer.pause(); // the client does not read as fast
                exchange.whenWritable(transfer::resume);
            }
        }

        @Override
        public void end(HttpTransfer transfer, HttpFields trailers) {
            exchange.end();
        }

        @Override
        public void failed(Throwable cause) {
            if (begun) {
                exchange.abort();
            } else if (exchange.isOpen()) {
                exchange.send(502);
            }
        }
    }

    /** Encodes the bytes that browsers send and a URI must not have. */
    static String encoded(String target) {
        StringBuilder text = new StringBuilder(target.length());
        for (char c : target.toCharArray()) {
            if (c > '~' || "\"<>[\\]^`{|}".indexOf(c) >= 0) {
                text.append('%').append(Integer.toHexString(c).toUpperCase(Locale.ROOT));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    static StreamReactor start(int port, String inventory) throws IOException {
        StreamReactor reactor = StreamReactor.builder().start();
        HttpClient client = Http.client(reactor);
        HttpService service = Http.server(exchange -> {
            HttpCall call = HttpCall.get(inventory + "/stock?" + exchange.query());
            HttpResponse stock = client.await(exchange.connection(), call, Duration.ofSeconds(2));
            exchange.send(200, "text/plain", "in stock: " + stock.text());
        });
        reactor.listen(new InetSocketAddress("127.0.0.1", port), ListenOptions.DEFAULT, service);
        return reactor;
    }
}
