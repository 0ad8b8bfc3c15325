package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.File;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.cabrank.lf.fixture.Await;
import org.cabrank.netty.example.Http2Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Netty's HTTP/2 codec, in the service of the examples, under clients of other projects. */
class Http2Test extends ProgramContract {
    private final ExecutorService blocking = Executors.newCachedThreadPool();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch lookedUp = new CountDownLatch(1);
    private X509Bundle certificate;
    private Http2Service service;
    private Channel listening;

    private void serve(boolean tls) throws Exception {
        certificate = new CertificateBuilder()
                .subject("cn=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        SslContext context = SslContextBuilder.forServer(certificate.toKeyManagerFactory())
                .sslProvider(SslProvider.JDK)
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2))
                .build();
        service = new Http2Service(
                tls ? context : null,
                this::lookUp,
                blocking,
                new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true));
        listening = done(new ServerBootstrap()
                        .group(group)
                        .channel(transport.listening())
                        .childHandler(service.handlers())
                        .bind(loopback()))
                .channel();
    }

    private int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    private String lookUp(String path) {
        lookedUp.countDown();
        block();
        try {
            assertTrue(release.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return "found " + path;
    }

    @AfterEach
    void stop() {
        release.countDown();
        if (service != null) {
            done(service.connections().close());
        }
        blocking.shutdown();
    }

    /** A client has one connection for all its requests. */
    private HttpClient client() throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, certificate.toTrustManagerFactory().getTrustManagers(), null);
        return HttpClient.newBuilder()
                .sslContext(trusting)
                .version(HttpClient.Version.HTTP_2)
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port() + path));
    }

    private static CompletableFuture<HttpResponse<byte[]>> send(HttpClient client, HttpRequest.Builder request) {
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(CompletableFuture<HttpResponse<byte[]>> response) throws Exception {
        assertEquals(HttpClient.Version.HTTP_2, result(response).version());
        return new String(result(response).body(), StandardCharsets.UTF_8);
    }

    @Test
    void clientOfTheJdkIsAnsweredOnManyStreams() throws Exception {
        serve(true);
        HttpClient client = client();
        assertEquals("This is /first", text(send(client, request("/first"))));
        List<CompletableFuture<HttpResponse<byte[]>>> responses = new ArrayList<>();
        byte[] body = new byte[200_000]; // several windows
        new Random(1).nextBytes(body);
        for (int i = 0; i < 8; i++) {
            responses.add(send(client, request("/" + i).POST(HttpRequest.BodyPublishers.ofByteArray(body))));
        }
        for (CompletableFuture<HttpResponse<byte[]>> each : responses) {
            assertArrayEquals(body, result(each).body());
        }
    }

    @Test
    void lookUpInAnExecutorDelaysNoOtherStream() throws Exception {
        serve(true);
        HttpClient client = client();
        assertEquals("This is /first", text(send(client, request("/first"))));
        CompletableFuture<HttpResponse<byte[]>> slow = send(client, request("/slow/1"));
        assertTrue(lookedUp.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEquals("This is /second", text(send(client, request("/second"))));
        assertFalse(slow.isDone());
        release.countDown();
        assertEquals("found /slow/1", text(slow));
    }

    @Test
    void streamsFinishWhileTheServiceDrains() throws Exception {
        serve(true);
        HttpClient client = client();
        CompletableFuture<HttpResponse<byte[]>> slow = send(client, request("/slow/1"));
        assertTrue(lookedUp.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        done(listening.close());
        ChannelGroupFuture closing = service.connections().close();
        Await.until("new requests are refused", () -> {
            try {
                text(send(client, request("/late")));
                return false;
            } catch (Exception refused) {
                return true;
            }
        });
        assertFalse(slow.isDone());
        release.countDown();
        assertEquals("found /slow/1", text(slow));
        done(closing);
    }

    @Test
    void h2loadFindsNoErrorOverTls() throws Exception {
        serve(true);
        assertTrue(h2load("https").contains(" 1000 succeeded, 0 failed, 0 errored, 0 timeout"));
    }

    @Test
    void h2loadFindsNoErrorWithoutTls() throws Exception {
        serve(false);
        assertTrue(h2load("http").contains(" 1000 succeeded, 0 failed, 0 errored, 0 timeout"));
    }

    @Test
    void curlIsAnsweredOverTls() throws Exception {
        serve(true);
        assertEquals("This is /x 2", curl("--http2", "--insecure", "https"));
    }

    @Test
    void curlIsAnsweredWithoutTls() throws Exception {
        serve(false);
        assertEquals("This is /x 2", curl("--http2-prior-knowledge", "--silent", "http"));
    }

    private String h2load(String scheme) throws Exception {
        return run("h2load", "nghttp2-client", List.of("-n", "1000", "-c", "8", "-m", "16", url(scheme)));
    }

    private String curl(String version, String option, String scheme) throws Exception {
        return run(
                "curl", "curl", List.of("--silent", version, option, "--write-out", " %{http_version}", url(scheme)));
    }

    private String url(String scheme) {
        return scheme + "://127.0.0.1:" + port() + "/x";
    }

    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void loadWithResetsSlowReadersAndBlockingLeavesNothing() throws Exception {
        serve(true);
        release.countDown();
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        ThreadLocal<HttpClient> clients = new ThreadLocal<>();
        load(random -> {
            reset(address, new byte[] {22, 3, 1, 2, 0}); // a part of a handshake
            if (clients.get() == null) {
                clients.set(client());
            }
            HttpClient client = clients.get();
            byte[] body = new byte[random.nextInt(200_000)];
            CompletableFuture<HttpResponse<byte[]>> echo =
                    send(client, request("/").POST(HttpRequest.BodyPublishers.ofByteArray(body)));
            assertEquals("found /slow/1", text(send(client, request("/slow/1"))));
            assertArrayEquals(body, result(echo).body());
            send(client, request("/").POST(HttpRequest.BodyPublishers.ofByteArray(new byte[500_000])))
                    .cancel(true); // resets the stream
            HttpRequest large = request("/")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[500_000]))
                    .build();
            try (InputStream slow = result(client.sendAsync(large, HttpResponse.BodyHandlers.ofInputStream()))
                    .body()) {
                slow.read();
                block();
            }
        });
        done(service.connections().close());
        awaitStrands(1);
    }

    private static String run(String program, String debianPackage, List<String> arguments) throws Exception {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> new File(directory, program).canExecute()),
                () -> "no " + program + ": apt-get install " + debianPackage);
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS));
            assertEquals(0, process.exitValue(), output);
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
