package org.cabrank.bench.contender;

import io.netty.util.Version;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;

/** The servers that the bench knows, in the order of the bench's tables. */
public final class Contenders {

    public static final String BASELINE = "netty-epoll";

    public static final String OPENSSL = "-openssl";

    private static final List<Contender> STANDARD = List.of(
            CabrankContender.single("epoll"),
            CabrankContender.eager("epoll"),
            CabrankContender.deferred("epoll"),
            CabrankContender.ring(),
            CabrankContender.relieved(),
            new NioContender(),
            new VirtualThreadsContender(),
            new NettyNioContender(),
            NettyEpollContender.single(),
            NettyIoUringContender.single(),
            CLoopContender.epoll(),
            CLoopContender.ioUring());

    private static final List<Contender> TLS_ALONE = List.of(
            CabrankContender.single("epoll").withOpenSsl(),
            CabrankContender.deferred("epoll").withOpenSsl(),
            CabrankContender.ring().withOpenSsl(),
            NettyEpollContender.openSsl());

    private static final List<String> TLS = List.of(
            "cabrank-epoll-1",
            "cabrank-epoll-deferred",
            "cabrank-iouring",
            "virtual-threads",
            BASELINE,
            "netty-iouring");

    /** Contenders of a default run. There are only a few, so that each one is measured often. */
    private static final List<String> FOCUSED =
            List.of("cabrank-epoll-deferred", "cabrank-iouring-deferred", "virtual-threads", BASELINE, "netty-iouring");

    private static final List<String> QUICK =
            List.of("cabrank-epoll-deferred", "cabrank-iouring-deferred", BASELINE, "netty-iouring");

    private static final List<String> BLOCKING = List.of(
            "cabrank-epoll-deferred",
            "cabrank-epoll-deferred-16",
            "cabrank-epoll-eager",
            "cabrank-iouring",
            BASELINE,
            "netty-epoll-group",
            "virtual-threads");

    private static final List<Contender> SHARDED = List.of(
            CabrankContender.sharded("epoll"),
            CabrankContender.sharded("iouring"),
            NettyEpollContender.loops(),
            NettyIoUringContender.loops());

    private static final List<Contender> SPECIAL = List.of(
            CabrankContender.deferredForBlocking("epoll"),
            CabrankContender.spinning("epoll"),
            CabrankContender.spinning("iouring"),
            new NettyGroupContender(),
            new NettyOverCabrankContender("epoll"),
            new NettyOverCabrankContender("iouring"));

    private static final List<Contender> OWN = Stream.of(STANDARD, TLS_ALONE, SHARDED, SPECIAL)
            .flatMap(List::stream)
            .toList();

    /** Loaded on first use, because a contender's process needs only its own contender. */
    private static final class Provided {
        private static final List<Contender> ALL = ServiceLoader.load(ContenderProvider.class).stream()
                .flatMap(provider -> provider.get().contenders().stream())
                .toList();
    }

    private Contenders() {}

    public static List<Contender> standard() {
        return STANDARD;
    }

    public static List<Contender> overTls() {
        return Stream.concat(named(TLS).stream(), TLS_ALONE.stream()).toList();
    }

    public static List<Contender> forDatagrams() {
        return STANDARD.stream()
                .filter(contender -> contender.serves(Protocol.DATAGRAMS))
                .toList();
    }

    public static List<Contender> focused() {
        return named(FOCUSED);
    }

    public static List<Contender> blocking() {
        return Stream.concat(
                        named(BLOCKING).stream(),
                        Provided.ALL.stream().filter(one -> one.serves(Protocol.HTTP) && !one.isHttpServerProvider()))
                .toList();
    }

    public static List<Contender> quick() {
        return named(QUICK);
    }

    public static List<Contender> sharded() {
        return SHARDED;
    }

    public static List<Contender> provided() {
        return Provided.ALL;
    }

    public static List<Contender> httpServerProviders() {
        return Provided.ALL.stream().filter(Contender::isHttpServerProvider).toList();
    }

    public static List<String> names() {
        return Stream.concat(OWN.stream(), Provided.ALL.stream())
                .map(Contender::name)
                .toList();
    }

    public static List<Contender> named(List<String> names) {
        Set<Contender> chosen = new LinkedHashSet<>();
        for (String name : names) {
            chosen.add(named(name));
        }
        return new ArrayList<>(chosen);
    }

    public static String nettyVersion() {
        Version version = Version.identify().get("netty-transport");
        return version == null ? "unknown" : version.artifactVersion();
    }

    public static Contender named(String name) {
        return find(OWN, name)
                .or(() -> find(Provided.ALL, name))
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no contender '" + name + "': there are " + String.join(", ", names())));
    }

    private static Optional<Contender> find(List<Contender> contenders, String name) {
        return contenders.stream()
                .filter(contender -> contender.name().equals(name))
                .findFirst();
    }
}
