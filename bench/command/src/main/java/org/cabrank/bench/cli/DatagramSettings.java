package org.cabrank.bench.cli;

import java.util.List;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;

/** Settings of {@code --set datagram.NAME=VALUE}. {@code batch} counts datagrams per system call. net.core.rmem_max limits the buffer. */
public record DatagramSettings(int batch, int receiveBufferBytes) {
    static final DatagramSettings DEFAULT = new DatagramSettings(32, 4 << 20);

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

    static final List<String> OF_CONNECTIONS = List.of(
            NamedSettings.TIMEOUT,
            NamedSettings.HTTP,
            "serve.connectionsPerPeerMax",
            "serve.acceptRate",
            "serve.drainGrace");

    DatagramOptions options() {
        return DatagramOptions.DEFAULT
                .withBatch(batch)
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, receiveBufferBytes));
    }
}
