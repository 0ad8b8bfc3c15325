package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.ShardPlacement;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;

final class SharedListening {
    private static final System.Logger LOGGER = System.getLogger(SocketBackend.class.getName());

    private final Kernel kernel;
    private final List<SocketShard> shards;
    private final ShardPlacement placement;
    private final CpuShards cpus;

    SharedListening(Kernel kernel, List<SocketShard> shards, ShardPlacement placement) {
        this.kernel = kernel;
        this.shards = shards;
        this.placement = placement;
        this.cpus = new CpuShards(placement, shards.size());
    }

    Listener listen(SocketAddress address, ListenOptions options, Accepting accepting) throws IOException {
        AcceptMode mode = options.acceptMode();
        boolean reusePort = mode == AcceptMode.REUSEPORT || mode == AcceptMode.REUSEPORT_CPU;
        boolean inet = address instanceof InetSocketAddress;
        requireTcp(address, mode);
        prepareOptions(address, options, accepting);
        // Even a single shard listens with SO_REUSEPORT, so that it shares the port with other processes.
        return reusePort && inet
                ? listenSeparately(address, options, !isAlone() && mode == AcceptMode.REUSEPORT_CPU, accepting)
                : listenTogether(
                        ListeningSocket.open(
                                kernel,
                                shards.get(0).sockets(),
                                address,
                                options,
                                false,
                                shards.size(),
                                accepting.state()),
                        options,
                        accepting);
    }

    Listener listen(int fd, ListenOptions options, Accepting accepting) throws IOException {
        AcceptMode mode = options.acceptMode();
        if (!isAlone() && (mode == AcceptMode.REUSEPORT || mode == AcceptMode.REUSEPORT_CPU)) {
            throw new IllegalArgumentException("descriptor " + fd + " cannot be shared by " + mode
                    + ", which takes a socket for each shard: use EXCLUSIVE or DISPATCH");
        }
        ListeningSocket socket =
                ListeningSocket.adopt(kernel, shards.get(0).sockets(), fd, options, shards.size(), accepting.state());
        requireTcp(socket.address(), mode);
        prepareOptions(socket.address(), options, accepting);
        return listenTogether(socket, options, accepting);
    }

    private void prepareOptions(SocketAddress address, ListenOptions options, Accepting accepting) throws IOException {
        requireUnix(address, options.descriptorsMax());
        EncodedOptions ofEach = EncodedOptions.ofAccepted(options, address);
        try {
            ofEach.tryOut(shards.get(0).sockets(), address);
        } catch (IOException refused) {
            throw new IOException(
                    "cannot listen at " + address + " with options of accepted sockets: " + refused.getMessage(),
                    refused);
        }
        accepting.optionsOfEach(ofEach);
    }

    static void requireUnix(SocketAddress address, int descriptorsMax) {
        if (descriptorsMax > 0 && address instanceof InetSocketAddress) {
            throw new IllegalArgumentException("descriptors are passed over Unix sockets only, but the address is "
                    + address + ": leave descriptorsMax out, or use a Unix address");
        }
    }

    private boolean isAlone() {
        return shards.size() == 1;
    }

    private void requireTcp(SocketAddress address, AcceptMode mode) {
        boolean isOfTcp =
                mode == AcceptMode.REUSEPORT || mode == AcceptMode.REUSEPORT_CPU || mode == AcceptMode.DISPATCH_CPU;
        if (isOfTcp && !isAlone() && !(address instanceof InetSocketAddress)) {
            throw new IllegalArgumentException(
                    address + " cannot be shared by " + mode + ", which is for TCP: use EXCLUSIVE or DISPATCH");
        }
    }

    private ShardRouter router(AcceptMode mode) {
        ShardRouter leastLoaded = new LeastLoaded(shards);
        return switch (mode) {
            case EXCLUSIVE, REUSEPORT, REUSEPORT_CPU -> ShardRouter.OWN;
            case DISPATCH -> new BoundedHandover(leastLoaded);
            case DISPATCH_HASH -> new BoundedHandover(new AddressHash(shards, leastLoaded));
            case DISPATCH_CPU -> new BoundedHandover(new IncomingCpu(shards, cpus, leastLoaded));
        };
    }

    private Listener listenTogether(ListeningSocket socket, ListenOptions options, Accepting accepting)
            throws IOException {
        ShardRouter router = isAlone() ? ShardRouter.OWN : router(options.acceptMode());
        List<SocketListener> listening = new ArrayList<>();
        try {
            for (SocketShard shard : shards) {
                listening.add(shard.listen(socket, !isAlone(), router, accepting));
            }
        } catch (Throwable refused) {
            socket.leaveToCaller();
            // Calls release for each listener that was not made. Every other listener calls release when it is closed.
            for (int i = listening.size(); i < shards.size(); i++) {
                socket.release();
            }
            listening.forEach(SocketListener::close);
            throw refused;
        }
        accepting.state().socketClosedOrAllOpened();
        return new ShardListeners(socket.address(), options, accepting, shards, listening);
    }

    private Listener listenSeparately(
            SocketAddress address, ListenOptions options, boolean steered, Accepting accepting) throws IOException {
        // Must be checked before this server has a socket at the port. If the kernel chooses the port, no other server
        // uses it.
        boolean others = steered
                && hasPort(address)
                && ListeningSocket.isShared(kernel, shards.get(0).sockets(), address);
        SocketAddress shared = address; // from the second socket on with the port that the kernel has chosen
        List<SocketListener> listening = new ArrayList<>();
        try {
            for (SocketShard shard : shards) {
                ListeningSocket socket =
                        ListeningSocket.open(kernel, shard.sockets(), shared, options, true, 1, accepting.state());
                shared = socket.address();
                listening.add(listen(shard, socket, accepting));
                if (steered && listening.size() == shards.size()) {
                    steer(socket, others);
                }
            }
        } catch (Throwable refused) {
            listening.forEach(SocketListener::close);
            throw refused;
        }
        accepting.state().socketClosedOrAllOpened();
        return new ShardListeners(shared, options, accepting, shards, listening);
    }

    private static boolean hasPort(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getPort() != 0;
    }

    private static SocketListener listen(SocketShard shard, ListeningSocket socket, Accepting accepting)
            throws IOException {
        try {
            return shard.listen(socket, false, ShardRouter.OWN, accepting);
        } catch (Throwable refused) {
            socket.release();
            throw refused;
        }
    }

    /** @param others true if another server may listen at the port. The program would then choose that server's older sockets */
    private void steer(ListeningSocket last, boolean others) throws IOException {
        try {
            if (others) {
                throw new IOException(
                        "another server listens at this port already, and the kernel counts its sockets first"
                                + " (ss -ltnp shows whose they are): end it, or choose another port");
            }
            new CpuSteering(cpus).attach(kernel, last.fd());
        } catch (IOException refused) {
            String words = "connections to " + last.address() + " cannot be steered by the CPU that receives them: "
                    + refused.getMessage();
            if (placement.isStrict()) {
                throw new IOException(words + " (strict placement: not served otherwise)", refused);
            }
            LOGGER.log(System.Logger.Level.WARNING, words + "; they are spread by the hash of their addresses");
        }
    }
}
