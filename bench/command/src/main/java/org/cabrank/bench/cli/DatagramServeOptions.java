package org.cabrank.bench.cli;

import java.util.List;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import picocli.CommandLine.Option;

/** Flags of a server's datagram sockets. */
final class DatagramServeOptions {
    private static final int BATCH = 32;
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    /** Flags for connections, which a server of datagrams does not have. */
    static final List<String> FOR_CONNECTIONS = List.of(
            "--accept",
            "--accept-rate",
            "--idle-timeout",
            "--max-connections",
            "--max-connections-per-peer",
            "--slow-mode",
            "--drain-grace",
            "--drain-delay",
            "--proxy-protocol",
            "--handover",
            "--metrics",
            "--live",
            "--tls",
            "--tls-write-cert",
            "--tls-cert",
            "--tls-key",
            "--tls-client-ca");

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Datagrams that one system call receives, 1 to 1024 (default " + BATCH + ").")
    private Integer batch;

    @Option(
            names = "--receive-buffer",
            paramLabel = "BYTES",
            converter = Converters.ByteCounts.class,
            description =
                    "Receive buffer of each datagram socket, such as 4m; sysctl net.core.rmem_max limits it (default"
                            + " 4m).")
    private Integer receiveBufferBytes;

    /** Returns the flag of the socket options that was given, or null. */
    String firstGiven() {
        return batch != null ? "--batch" : receiveBufferBytes != null ? "--receive-buffer" : null;
    }

    DatagramOptions options() {
        if (batch != null && (batch < 1 || batch > DatagramOptions.BATCH_MAX)) {
            throw new IllegalArgumentException("--batch must be from 1 to 1024, but is " + batch);
        }
        int bytes = receiveBufferBytes == null ? RECEIVE_BUFFER_BYTES : receiveBufferBytes;
        return DatagramOptions.DEFAULT
                .withBatch(batch == null ? BATCH : batch)
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, bytes));
    }
}
