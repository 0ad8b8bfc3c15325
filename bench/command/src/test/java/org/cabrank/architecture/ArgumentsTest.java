package org.cabrank.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.cabrank.bench.fixture.Once;
import org.cabrank.framing.Framing;
import org.cabrank.framing.LengthPrefixed;
import org.cabrank.handover.Handover;
import org.cabrank.http.Http;
import org.cabrank.http.HttpAnswer;
import org.cabrank.http.HttpService;
import org.cabrank.http.client.HttpCall;
import org.cabrank.httpserver.CabrankHttpServerProvider;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Reply;
import org.cabrank.lf.TaskQueue;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.micrometer.ListenerMetrics;
import org.cabrank.micrometer.ReactorMetrics;
import org.cabrank.micrometer.RingMetrics;
import org.cabrank.micrometer.TlsMetrics;
import org.cabrank.proxy.ProxyHeader;
import org.cabrank.proxy.ProxyProtocol;
import org.cabrank.socket.DatagramQueueLimits;
import org.cabrank.socket.DatagramSteering;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorBuilder;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.cabrank.systemd.ServiceNotifier;
import org.cabrank.systemd.Systemd;
import org.cabrank.tls.Tls;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Public methods of the exported packages check their arguments where they are passed: a null, or a time that does not fit into
 * nanoseconds, is an exception of the call that has it, and not of a thread that uses it later.
 */
@Once
class ArgumentsTest {
    private static final Poms POMS = Poms.OF_THIS_CHECKOUT;
    private static final Pattern EXPORT = Pattern.compile("^ *exports ([\\w.]+);", Pattern.MULTILINE);

    /** Packages that backends are made of, the system calls, and parts of Cabrank that users have no objects of. */
    private static final Pattern FOR_BACKENDS =
            Pattern.compile("org\\.cabrank\\.(kernel|http\\.wire|affinity.*|pinning\\.doctor)");

    /** Methods that Cabrank calls, and values that Cabrank alone makes. */
    private static final Pattern NOT_CALLED_BY_USERS = Pattern.compile(".*(Handler|Exception|Counters)\\..*"
            + "|BlockedHandler\\.new.*|Contention\\.new.*|ThreadStatus\\.new.*|ShardBalance\\.new.*"
            + "|TcpInfo\\.new.*|DatagramError\\.new.*|FileEvent\\.new.*|HttpResponse\\.new.*|RespValue\\..*\\.new.*|Backend\\.new.*"
            + "|ConnectionAcceptor\\..*|BackendProvider\\..*|EpollBackendProvider\\..*|IoUringBackendProvider\\..*"
            + "|Liveness\\.new.*|Liveness\\.Problem\\.new.*");

    /** Parameters that may be null, and the meaning of null. */
    private static final Set<String> NULLABLE = new TreeSet<>(Set.of(
            "CabrankDatagramChannel.new([SocketProtocolFamily])", // as without one
            "CabrankHttpServerProvider.createHttpServer([InetSocketAddress], int)", // the JDK's: bound later
            "CabrankHttpServerProvider.createHttpsServer([InetSocketAddress], int)",
            "ConnectOptions.new(int, [SocketAddress], StreamTimeouts, SocketOptions, int)", // the kernel chooses
            "ConnectOptions.new(int, SocketAddress, [StreamTimeouts], SocketOptions, int)", // those of the reactor
            "ConnectOptions.withLocalAddress([SocketAddress])",
            "ConnectOptions.withTimeouts([StreamTimeouts])",
            "DatagramOptions.withAges([LatencyHistogram])", // none, as the next four
            "DatagramOptions.withMulticastInterface([NetworkInterface])",
            "DatagramOptions.withPeer([InetSocketAddress])",
            "DatagramOptions.withQueue([DatagramQueueLimits])",
            "DatagramOptions.withSteering([DatagramSteering])",
            "HttpCall.new(String, URI, String, [HttpUpload], long, Duration, boolean)", // no body
            "HttpCall.new(String, URI, String, HttpUpload, long, [Duration], boolean)", // that of the client
            "HttpCall.withTimeout([Duration])",
            "ListenOptions.withTimeouts([StreamTimeouts])", // those of the reactor
            "OutgoingBatch.add(InetSocketAddress, ByteBuffer, [InetAddress], NetworkInterface)", // the kernel chooses,
            // as the next
            "OutgoingBatch.add(InetSocketAddress, ByteBuffer, InetAddress, [NetworkInterface])",
            "Pem.context(Path, Path, [Path]) IOException", // the JDK's own; the first file is absent
            "Reply.complete([Object])", // a value
            "Reply.completeWithoutWaking([Object])",
            "UdpSocket.send(InetSocketAddress, ByteBuffer, [InetAddress], NetworkInterface)", // as OutgoingBatch.add
            "UdpSocket.send(InetSocketAddress, ByteBuffer, InetAddress, [NetworkInterface])"));

    /** Valid arguments and, for classes with instance methods, the instance. */
    private static final Map<Class<?>, Object> VALUES = new HashMap<>();

    private static final List<Class<?>> TYPES = new ArrayList<>();
    private static StreamReactor reactor;

    @BeforeAll
    static void open() throws Exception {
        for (String module : POMS.published()) {
            Path sources = POMS.root().resolve(module + "/src/main/java");
            EXPORT.matcher(Files.readString(sources.resolve("module-info.java")))
                    .results()
                    .map(export -> export.group(1))
                    .filter(name -> !FOR_BACKENDS.matcher(name).matches())
                    .forEach(name -> addTypes(name, sources.resolve(name.replace('.', '/'))));
        }
        plainValues();
        reactor = StreamReactor.builder().backend(Backend.named("epoll")).start();
        ownValues();
    }

    private static void addTypes(String name, Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".java") && !file.startsWith("package-info"))
                    .sorted()
                    .map(file -> load(name + "." + file.replace(".java", "")))
                    .flatMap(type -> Stream.concat(Stream.of(type), Arrays.stream(type.getClasses())))
                    .filter(type -> Modifier.isPublic(type.getModifiers()))
                    .forEach(TYPES::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }

    private static void plainValues() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        VALUES.put(String.class, "x");
        VALUES.put(Object.class, "x");
        VALUES.put(Class.class, String.class);
        VALUES.put(Throwable.class, new IOException("x"));
        VALUES.put(Thread.class, new Thread(() -> {}));
        VALUES.put(Duration.class, Duration.ofSeconds(1));
        VALUES.put(Instant.class, Instant.EPOCH);
        VALUES.put(InetSocketAddress.class, address);
        VALUES.put(SocketAddress.class, address);
        VALUES.put(InetAddress.class, address.getAddress());
        VALUES.put(NetworkInterface.class, NetworkInterface.getByInetAddress(address.getAddress()));
        VALUES.put(URI.class, URI.create("http://localhost/"));
        VALUES.put(Path.class, Path.of("/nonexistent/x"));
        VALUES.put(OpenOption.class, StandardOpenOption.READ);
        VALUES.put(ByteOrder.class, ByteOrder.BIG_ENDIAN);
        VALUES.put(ByteBuffer.class, ByteBuffer.allocateDirect(16));
        VALUES.put(BigInteger.class, BigInteger.ONE);
        VALUES.put(List.class, List.of());
        VALUES.put(Set.class, Set.of());
        VALUES.put(Map.class, Map.of());
        VALUES.put(Collection.class, List.of());
        VALUES.put(Iterable.class, List.of());
        VALUES.put(Executor.class, (Executor) Runnable::run);
        VALUES.put(SSLContext.class, SSLContext.getDefault());
    }

    private static void ownValues() throws Exception {
        VALUES.put(Kernel.class, Kernels.system());
        VALUES.put(Promotion.class, Promotion.eager());
        VALUES.put(PoolConfig.class, PoolConfig.of("x", 1));
        VALUES.put(DatagramQueueLimits.class, new DatagramQueueLimits(1, 1 << 10));
        VALUES.put(DatagramSteering.class, DatagramSteering.byCpu(1));
        VALUES.put(ConnectionHandler.class, (ConnectionHandler) (connection, input) -> {});
        VALUES.put(StreamReactor.class, reactor);
        VALUES.put(ReactorBuilder.class, StreamReactor.builder());
        VALUES.put(StreamReactor.Builder.class, StreamReactor.builder());
        VALUES.put(StreamServer.Builder.class, StreamServer.builder());
        VALUES.put(LeaderFollowersPool.class, endedPool());
        VALUES.put(HandleSet.class, reactor.pools().get(0).handleSets().get(0));
        VALUES.put(DescriptorSet.class, DescriptorSet.of(reactor).get(0));
        VALUES.put(Timers.class, new Timers(valid(HandleSet.class)));
        VALUES.put(TaskQueue.class, new TaskQueue(valid(HandleSet.class), "x", 16));
        VALUES.put(Handle.class, valid(HandleSet.class).registerVirtual("x", (handle, ready) -> {}));
        Reply<Object> reply = reactor.pools().get(0).newReply();
        reply.complete("x");
        VALUES.put(Reply.class, reply);
        Listener listener =
                reactor.listen(valid(SocketAddress.class), ListenOptions.DEFAULT, () -> valid(ConnectionHandler.class));
        VALUES.put(Listener.class, listener);
        VALUES.put(
                Connection.class,
                reactor.connect(listener.address(), valid(ConnectionHandler.class))
                        .get());
        VALUES.put(
                UdpSocket.class,
                UdpSocket.bind(valid(DescriptorSet.class), valid(InetSocketAddress.class), (socket, datagram) -> {}));
        VALUES.put(OutgoingBatch.class, valid(UdpSocket.class).newBatch(4, 1 << 10));
        VALUES.put(Framing.class, Framing.lines(16));
        VALUES.put(LengthPrefixed.class, Framing.lengthPrefixed(4));
        VALUES.put(HttpService.class, Http.server(exchange -> {}));
        VALUES.put(HttpAnswer.class, HttpAnswer.text(200, "x"));
        VALUES.put(HttpCall.class, HttpCall.get("http://localhost/"));
        VALUES.put(Tls.class, Tls.server(valid(SSLContext.class)).build());
        VALUES.put(Tls.Builder.class, Tls.server(valid(SSLContext.class)));
        VALUES.put(ProxyHeader.class, ProxyHeader.v2(valid(SocketAddress.class), valid(SocketAddress.class)));
        VALUES.put(ProxyProtocol.Builder.class, ProxyProtocol.builder().trusted("127.0.0.1"));
        VALUES.put(
                ProxyProtocol.class,
                ProxyProtocol.builder().trusted("127.0.0.1").build());
        VALUES.put(EmbeddedConnection.class, EmbeddedConnection.open(valid(ConnectionHandler.class)));
        VALUES.put(LatencyHistogram.class, new LatencyHistogram("x"));
        VALUES.put(CabrankHttpServerProvider.class, new CabrankHttpServerProvider());
        VALUES.put(Systemd.class, Systemd.current());
        VALUES.put(ServiceNotifier.class, Systemd.current().notifier());
        VALUES.put(Handover.class, Handover.at(Path.of("/nonexistent/x")));
        VALUES.put(MeterRegistry.class, new PrometheusMeterRegistry(key -> null));
        VALUES.put(ReactorMetrics.class, new ReactorMetrics(reactor, List.of()));
        VALUES.put(ListenerMetrics.class, new ListenerMetrics(listener, List.of()));
        VALUES.put(RingMetrics.class, new RingMetrics(reactor, List.of()));
        VALUES.put(TlsMetrics.class, new TlsMetrics(valid(Tls.class), List.of()));
    }

    /** Waits of such a pool return at once. */
    private static LeaderFollowersPool endedPool() throws IOException {
        try (StreamReactor ended =
                StreamReactor.builder().backend(Backend.named("epoll")).start()) {
            return ended.pools().get(0);
        }
    }

    @AfterAll
    static void close() throws Exception {
        valid(EmbeddedConnection.class).close();
        reactor.close();
    }

    @SuppressWarnings("unchecked")
    private static <T> T valid(Class<T> type) {
        if (VALUES.containsKey(type)) {
            return (T) VALUES.get(type);
        }
        Object value = null;
        if (type.isPrimitive()) {
            value = Array.get(Array.newInstance(type, 1), 0);
        } else if (type.isEnum()) {
            value = type.getEnumConstants()[0];
        } else if (type.isArray()) {
            value = Array.newInstance(type.getComponentType(), 1);
            Array.set(value, 0, valid(type.getComponentType()));
        } else {
            value = ownConstant(type);
        }
        if (value == null && type.isInterface() && !type.isSealed()) {
            value = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, ArgumentsTest::answer);
        }
        return (T) value;
    }

    private static Object answer(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> 0;
            case "toString" -> "x";
            default ->
                method.getReturnType().isPrimitive() && method.getReturnType() != void.class
                        ? valid(method.getReturnType())
                        : null;
        };
    }

    /** Returns a constant of the type itself, DEFAULT for instance, or what a factory method without parameters returns. */
    private static Object ownConstant(Class<?> type) {
        try {
            for (Field field : type.getFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == type) {
                    return field.get(null);
                }
            }
            for (Method method : type.getMethods()) {
                if (Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == type
                        && method.getParameterCount() == 0) {
                    return method.invoke(null);
                }
            }
            return null;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(type.getName(), e);
        }
    }

    private interface Check {
        /** @param at index of the parameter */
        void accept(Executable called, Object instance, int at);
    }

    /** Calls {@code check} for each parameter of the public methods and constructors. */
    private static void forEachParameter(Check check) {
        for (Class<?> type : TYPES) {
            List<Executable> all = new ArrayList<>(Arrays.asList(type.getDeclaredMethods()));
            if (!Modifier.isAbstract(type.getModifiers())) {
                all.addAll(Arrays.asList(type.getConstructors()));
            }
            for (Executable called : all) {
                boolean isOfAll =
                        called.getName().equals("equals") || called.getName().equals("valueOf");
                if (Modifier.isPublic(called.getModifiers()) && !called.isSynthetic() && !isOfAll) {
                    boolean isStatic = called instanceof Constructor || Modifier.isStatic(called.getModifiers());
                    Object instance = isStatic ? null : valid(type);
                    for (int at = 0; at < called.getParameterCount(); at++) {
                        boolean isProxy = instance != null && Proxy.isProxyClass(instance.getClass());
                        if ((isStatic || instance != null && !isProxy)
                                && !NOT_CALLED_BY_USERS.matcher(name(called)).matches()) {
                            check.accept(called, instance, at);
                        }
                    }
                }
            }
        }
    }

    private static String name(Executable called) {
        String type =
                called.getDeclaringClass().getName().replaceAll(".*\\.", "").replace('$', '.');
        return type + "." + (called instanceof Constructor ? "new" : called.getName());
    }

    /** The parameter in question in brackets. */
    private static String text(Executable called, int at) {
        StringBuilder text = new StringBuilder(name(called)).append('(');
        for (int i = 0; i < called.getParameterCount(); i++) {
            String type = called.getParameterTypes()[i].getSimpleName();
            text.append(i > 0 ? ", " : "").append(i == at ? "[" + type + "]" : type);
        }
        return text.append(')').toString();
    }

    /** Returns what the call throws; null: nothing. */
    private static Throwable call(Executable called, Object instance, int at, Object argument) {
        Object[] arguments = Arrays.stream(called.getParameterTypes())
                .map(ArgumentsTest::valid)
                .toArray();
        arguments[at] = argument;
        called.setAccessible(true);
        try {
            if (called instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                ((Method) called).invoke(instance, arguments);
            }
            return null;
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(text(called, at), impossible);
        }
    }

    @Test
    void nullIsRefusedWhereItIsPassedAndInStreamsByTheNameOfTheParameter() {
        Set<String> taken = new TreeSet<>();
        Set<String> unnamed = new TreeSet<>();
        Set<String> seen = new TreeSet<>();
        forEachParameter((called, instance, at) -> {
            if (!called.getParameterTypes()[at].isPrimitive()) {
                seen.add(name(called));
                Throwable thrown = call(called, instance, at, null);
                boolean isRefused = thrown instanceof NullPointerException
                        || thrown instanceof IllegalArgumentException
                        || thrown instanceof IllegalStateException;
                if (!isRefused) {
                    taken.add(text(called, at)
                            + (thrown == null ? "" : " " + thrown.getClass().getSimpleName()));
                } else if (thrown instanceof NullPointerException && isOfTheJvm(thrown) && isOfStreams(called)) {
                    unnamed.add(text(called, at) + ": " + thrown.getMessage());
                }
            }
        });
        assertTrue(seen.size() > 250, seen.size() + " methods");
        assertEquals(NULLABLE, taken);
        assertEquals(Set.of(), unnamed);
    }

    private static boolean isOfStreams(Executable called) {
        return called.getDeclaringClass().getPackage() == Connection.class.getPackage();
    }

    /** Returns true for an exception without a message, or with one that the JVM has made of a dereference. */
    private static boolean isOfTheJvm(Throwable thrown) {
        return thrown.getMessage() == null || thrown.getMessage().startsWith("Cannot ");
    }

    @Test
    void aTimeThatDoesNotFitIntoNanosecondsIsTakenForTheLongestOrRefusedWithItsRange() {
        List<String> wrong = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        forEachParameter((called, instance, at) -> {
            if (called.getParameterTypes()[at] == Duration.class) {
                seen.add(name(called));
                for (Duration time : List.of(
                        ChronoUnit.FOREVER.getDuration(),
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Duration.ofNanos(-1),
                        Duration.ofSeconds(Long.MIN_VALUE))) {
                    Throwable thrown = call(called, instance, at, time);
                    if (thrown instanceof ArithmeticException) {
                        wrong.add(text(called, at) + " of " + time + ": " + thrown);
                    }
                }
            }
        });
        assertTrue(seen.size() > 30, seen.toString());
        assertEquals(List.of(), wrong);
    }
}
