package org.cabrank.netty.program;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** As much of Redis as a client needs to set and get: the protocol RESP 2, with a thread for each connection. */
final class RedisFake implements Closeable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<String, String> values = new ConcurrentHashMap<>();

    RedisFake() throws IOException {
        start(() -> {
            while (!listening.isClosed()) {
                try {
                    Socket client = listening.accept();
                    start(() -> serve(client));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "redis");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket client) {
        try (client) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            OutputStream out = new BufferedOutputStream(client.getOutputStream());
            for (; ; ) {
                int parts = number(in);
                List<String> command = new ArrayList<>();
                for (int i = 0; i < parts; i++) {
                    byte[] part = in.readNBytes(number(in));
                    in.readNBytes(2); // the end of the line
                    command.add(new String(part, StandardCharsets.UTF_8));
                }
                out.write(answer(command).getBytes(StandardCharsets.UTF_8));
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** Returns the number of a line such as *3 or $5. */
    private static int number(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        in.readUnsignedByte();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            line.append((char) next);
        }
        return Integer.parseInt(line.toString().trim());
    }

    private String answer(List<String> command) {
        switch (command.get(0).toUpperCase(Locale.ROOT)) {
            case "SET":
                values.put(command.get(1), command.get(2));
                return "+OK\r\n";
            case "GET":
                String value = values.get(command.get(1));
                return value == null ? "$-1\r\n" : "$" + value.length() + "\r\n" + value + "\r\n";
            case "PING":
                return "+PONG\r\n";
            case "CLIENT":
                return "+OK\r\n";
            default:
                return "-ERR unknown command\r\n";
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
