package org.cabrank.socket.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import org.cabrank.lf.fixture.Await;

/**
 * Two network namespaces joined by a veth(4) pair.
 *
 * <pre>
 *   near                          far
 *   veth0  10.77.0.1, fd77::1 ─── veth0  10.77.0.2, fd77::2
 * </pre>
 */
final class VethPair implements AutoCloseable {
    static final String DEVICE = "veth0";
    static final String NEAR = "10.77.0.1";
    static final String FAR = "10.77.0.2";
    static final String NEAR_IPV6 = "fd77::1";
    static final String FAR_IPV6 = "fd77::2";

    private final NetworkNamespace near;
    private final NetworkNamespace far;

    private VethPair(NetworkNamespace near, NetworkNamespace far) {
        this.near = near;
        this.far = far;
    }

    /** Makes the network; skips the test, with the reason, where that is not permitted. */
    static VethPair open() throws IOException {
        NetworkNamespace near = NetworkNamespace.open();
        VethPair pair = new VethPair(near, NetworkNamespace.open());
        try {
            pair.connect();
            return pair;
        } catch (Throwable failed) {
            pair.close();
            throw failed;
        }
    }

    /** Makes the pair of interfaces, at first or after they were removed. */
    void connect() throws IOException {
        String noDelay = "echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad\n"; // addresses are valid at once
        near.run(noDelay);
        far.run(noDelay);
        near.run("ip link add " + DEVICE + " type veth peer name " + DEVICE + " netns " + far.pid());
        configure(far, FAR, FAR_IPV6);
        configure(near, NEAR, NEAR_IPV6);
        awaitReady(far);
        awaitReady(near);
    }

    /** The kernel notices later that the pair is up, and routes multicast over IPv6 from then on. */
    private static void awaitReady(NetworkNamespace namespace) {
        Await.until("the link is ready", () -> {
            try {
                return namespace.run("ip link show dev " + DEVICE).contains("state UP")
                        && namespace
                                .run("ip -6 route show table all dev " + DEVICE)
                                .contains("ff00::/8");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void configure(NetworkNamespace namespace, String ipv4, String ipv6) throws IOException {
        namespace.run("ip -batch - <<END\naddr add " + ipv4 + "/24 dev " + DEVICE + "\naddr add " + ipv6 + "/64 dev "
                + DEVICE + " nodad\nlink set " + DEVICE + " up\nEND");
    }

    NetworkNamespace near() {
        return near;
    }

    NetworkNamespace far() {
        return far;
    }

    NetworkInterface nearDevice() throws Exception {
        return near.in(() -> NetworkInterface.getByName(DEVICE));
    }

    NetworkInterface farDevice() throws Exception {
        return far.in(() -> NetworkInterface.getByName(DEVICE));
    }

    static InetSocketAddress any(String host) {
        return new InetSocketAddress(host, 0);
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}
