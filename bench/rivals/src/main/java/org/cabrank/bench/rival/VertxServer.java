package org.cabrank.bench.rival;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.cabrank.http.message.EverySecond;
import org.cabrank.http.message.HttpDate;

record VertxServer(Vertx vertx, InetSocketAddress address, String details) implements RunningServer {

    private static final int WORKERS = VertxOptions.DEFAULT_WORKER_POOL_SIZE;

    private static final long TIMEOUT_S = 60;

    static RunningServer start(ServerSettings settings) throws IOException {
        int workers = settings.threadsElse(WORKERS);
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(workers)
                .setPreferNativeTransport(true)
                .setDisableTCCL(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        boolean started = false;
        try {
            int port = settings.protocol().isHttp() ? listenHttp(vertx, settings) : listenEcho(vertx, settings);
            started = true;
            return new VertxServer(
                    vertx,
                    new InetSocketAddress(ContenderSockets.address(), port),
                    Frameworks.nameOfJar(Vertx.class) + ", "
                            + (vertx.isNativeTransportEnabled()
                                    ? "epoll transport"
                                    : "NIO transport: the native one does not run here")
                            + ", one event loop, " + workers + " workers");
        } finally {
            if (!started) {
                await(vertx.close());
            }
        }
    }

    private static int listenHttp(Vertx vertx, ServerSettings settings) throws IOException {
        HttpServerOptions options =
                new HttpServerOptions().setHttp2ClearTextEnabled(false).setStrictThreadMode(true);
        configure(options);
        Hello hello = new Hello(vertx, settings.work());
        HttpServer server = vertx.createHttpServer(options).requestHandler(hello::answer);
        return await(server.listen()).actualPort();
    }

    private static int listenEcho(Vertx vertx, ServerSettings settings) throws IOException {
        NetServerOptions options = new NetServerOptions();
        configure(options);
        HandlerWork work = settings.work();
        NetServer server = vertx.createNetServer(options)
                .connectHandler(socket -> socket.handler(
                        work.mayBlock()
                                ? new BlockingEcho(vertx, socket, work)::answer
                                : new Echo(socket, work)::answer));
        return await(server.listen()).actualPort();
    }

    private static void configure(NetServerOptions options) {
        options.setHost(ContenderSockets.address().getHostAddress())
                .setPort(0)
                .setAcceptBacklog(ContenderSockets.BACKLOG)
                .setTcpNoDelay(true);
    }

    private static <T> T await(Future<T> future) throws IOException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Vert.x was awaited", stop);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("Vert.x did not start or end: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        try {
            await(vertx.close());
        } catch (IOException notEnded) {
            throw new IllegalStateException(notEnded);
        }
    }

    private record Hello(Vertx vertx, HandlerWork work) {

        private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain");
        private static final CharSequence LENGTH = HttpHeaders.createOptimized(String.valueOf(Plaintext.BODY.length()));
        private static final Buffer HELLO = Buffer.buffer(Plaintext.BODY);
        private static final Buffer SLOW_HELLO = Buffer.buffer(Plaintext.SLOW_BODY);
        private static final EverySecond<CharSequence> DATE =
                new EverySecond<>(second -> HttpHeaders.createOptimized(HttpDate.format(second)));

        void answer(HttpServerRequest request) {
            if (work.mayBlock()) {
                vertx.executeBlocking(work::perform, false).onSuccess(slow -> send(request, slow));
            } else {
                send(request, work.perform());
            }
        }

        private static void send(HttpServerRequest request, boolean slow) {
            request.response()
                    .putHeader(HttpHeaders.DATE, DATE.current())
                    .putHeader(HttpHeaders.CONTENT_TYPE, TEXT)
                    .putHeader(HttpHeaders.CONTENT_LENGTH, LENGTH)
                    .end(slow ? SLOW_HELLO : HELLO);
        }
    }

    private record Echo(NetSocket socket, HandlerWork work) {

        void answer(Buffer data) {
            work.perform();
            socket.write(data);
            if (socket.writeQueueFull()) {
                socket.pause();
                socket.drainHandler(drained -> socket.resume());
            }
        }
    }

    /** Reads nothing during the work, which may block. */
    private record BlockingEcho(Vertx vertx, NetSocket socket, HandlerWork work) {

        void answer(Buffer data) {
            socket.pause();
            vertx.executeBlocking(work::perform, false).onSuccess(slow -> {
                socket.write(data);
                if (socket.writeQueueFull()) {
                    socket.drainHandler(drained -> socket.resume());
                } else {
                    socket.resume();
                }
            });
        }
    }
}
