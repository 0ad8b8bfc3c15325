package consumer;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.cabrank.kernel.Kernels;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.pinning.RequestedPlacement;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;

/** Echoes one message over the backend that the argument names, with pinned threads, and prints the kernel binding. */
public final class EchoOnce {
    private EchoOnce() {}

    public static void main(String[] args) throws Exception {
        byte[] message = "hello".getBytes(StandardCharsets.US_ASCII);
        try (StreamServer server = StreamServer.builder()
                        .listen("127.0.0.1", 0)
                        .backend(Backend.named(args[0]))
                        .shards(1)
                        .placement(RequestedPlacement.of(Placement.CORES))
                        .handler(() -> (connection, data) -> connection.write(data))
                        .start();
                Socket client = new Socket()) {
            client.connect((InetSocketAddress) server.localAddress());
            client.getOutputStream().write(message);
            InputStream in = client.getInputStream();
            String answer = new String(in.readNBytes(message.length), StandardCharsets.US_ASCII);
            System.out.println(
                    answer + " over " + args[0] + " through " + Kernels.system().getClass().getSimpleName());
        }
    }
}
