package org.cabrank.bench.cli;

import java.time.Duration;
import java.util.List;
import org.cabrank.bench.text.Durations;
import org.cabrank.proxy.ProxyProtocol;
import picocli.CommandLine.Option;

final class BalancerOptions {
    private static final Duration DRAIN_DELAY_MOST = Duration.ofHours(1);

    private static final String LOOPBACK = "127.0.0.0/8,::1";

    @Option(
            names = "--drain-delay",
            paramLabel = "TIME",
            defaultValue = "0ms",
            description =
                    "How long the server continues to accept after SIGTERM or SIGINT, while GET /health answers 503, so that"
                            + " a balancer takes the server out before the drain begins; not used when another server takes"
                            + " the listening sockets over (default ${DEFAULT-VALUE}).")
    private Duration drainDelay;

    @Option(
            names = "--proxy-protocol",
            paramLabel = "CIDR",
            arity = "0..1",
            split = ",",
            fallbackValue = LOOPBACK,
            description =
                    "Blocks of addresses of the proxies, such as 10.0.0.0/8,fd00::/8. Each connection must begin with a PROXY"
                            + " header, version 1 or 2; connections from other addresses are closed (without a value: "
                            + LOOPBACK + "; default: connections have no PROXY header).")
    private List<String> proxies;

    void check() {
        if (drainDelay.compareTo(DRAIN_DELAY_MOST) > 0) {
            throw new IllegalArgumentException(
                    "--drain-delay must be at most " + Durations.format(DRAIN_DELAY_MOST.toNanos()) + ", but is "
                            + Durations.format(drainDelay.toNanos()));
        }
    }

    Duration drainDelay() {
        return drainDelay;
    }

    ProxyProtocol proxyProtocol() {
        if (proxies == null) {
            return null;
        }
        try {
            return ProxyProtocol.builder()
                    .trusted(proxies.toArray(String[]::new))
                    .build();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("--proxy-protocol: " + wrong.getMessage(), wrong);
        }
    }
}
