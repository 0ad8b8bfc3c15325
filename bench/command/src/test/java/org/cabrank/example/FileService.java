package org.cabrank.example;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;

/** Sends one file to each client, behind a line with its length, and closes the connection when all was sent. */
public final class FileService {
    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        try (StreamReactor reactor = StreamReactor.builder().start();
                ReactorFile file = reactor.openFile(path)) {
            System.out.println("listening on "
                    + listen(reactor, 7000, file, Files.size(path)).address());
            reactor.awaitTermination();
        }
    }

    static Listener listen(StreamReactor reactor, int port, ReactorFile file, long length) throws IOException {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
        return reactor.listen(address, ListenOptions.DEFAULT, () -> new Sender(file, length));
    }

    record Sender(ReactorFile file, long length) implements ConnectionHandler {
        @Override
        public void opened(Connection connection) throws IOException {
            connection.write(ByteBuffer.wrap((length + "\n").getBytes(StandardCharsets.US_ASCII)));
            connection.sendFile(file, 0, length);
            connection.whenWritten((own, failure) -> {
                if (failure == null) {
                    own.close(); // only now: a close gives a slow client one minute
                }
            });
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }
    }
}
