package org.cabrank.bench.cli;

import java.util.List;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;

/**
 * Settings of {@code serve echo --udp}: {@code --set datagram.NAME=VALUE}.
 *
 * @param batch datagrams that one system call receives
 * @param receiveBufferBytes receive buffer of each socket, which sysctl net.core.rmem_max limits
 */
public record DatagramSettings(int batch, int receiveBufferBytes) {
    static final DatagramSettings DEFAULT = new DatagramSettings(32, 4 << 20);

    /** Flags for connections, which a server of datagrams does not have. */
    static final List<String> FLAGS_OF_CONNECTIONS = List.of(
            "--accept",
            "--idle-timeout",
            "--max-connections",
            "--drain-delay",
            "--proxy-protocol",
            "--handover",
            "--metrics",
            "--live",
            "--tls",
            "--tls-cert",
            "--tls-key",
            "--tls-client-ca");

    /** Settings for connections. */
    static final List<String> OF_CONNECTIONS = List.of(
            NamedSettings.TIMEOUT,
            NamedSettings.HTTP,
            "serve.connectionsPerPeerMax",
            "serve.acceptRate",
            "serve.drainGrace");

    /** @throws IllegalArgumentException if a value is out of range */
    DatagramOptions options() {
        return DatagramOptions.DEFAULT
                .withBatch(batch)
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, receiveBufferBytes));
    }
}
