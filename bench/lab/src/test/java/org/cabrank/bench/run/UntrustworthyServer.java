package org.cabrank.bench.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** An echo server that goes wrong after each connection's first answer, for the bench to find out; a process of its own. */
final class UntrustworthyServer {

    static final String LAST_WORDS = "untrustworthy: so it goes";

    private final How how;

    /** In which way. */
    enum How {
        DIES,
        LIES,
        NEVER_LISTENS
    }

    private UntrustworthyServer(How how) {
        this.how = how;
    }

    public static void main(String... arguments) throws IOException {
        new UntrustworthyServer(How.valueOf(arguments[0])).serve();
    }

    private void serve() throws IOException {
        System.err.println(LAST_WORDS);
        if (how == How.NEVER_LISTENS) {
            System.exit(3);
        }
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println("listening on 127.0.0.1:" + listener.socket().getLocalPort() + " " + how);
            while (true) {
                SocketChannel connection = listener.accept();
                Thread echo = new Thread(() -> echo(connection), "echo");
                echo.setDaemon(true);
                echo.start();
            }
        }
    }

    private void echo(SocketChannel connection) {
        ByteBuffer buffer = ByteBuffer.allocate(1_024);
        boolean first = true;
        try (connection) {
            while (connection.read(buffer) >= 0) {
                if (!first) {
                    if (how == How.DIES) {
                        System.exit(3);
                    }
                    buffer.put(0, (byte) ~buffer.get(0));
                }
                connection.write(buffer.flip());
                buffer.clear();
                first = false;
            }
        } catch (IOException clientLeft) {
            System.err.println("a client left: " + clientLeft.getMessage());
        }
    }
}
