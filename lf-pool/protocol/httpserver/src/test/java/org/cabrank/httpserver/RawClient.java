package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends bytes as they are, and reads answers one by one. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    RawClient(HttpServer server) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort()));
    }

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(120_000);
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
    }

    /** An answer; names of fields are in lower case. */
    record Answer(String statusLine, Map<String, String> fields, String body) {
        int status() {
            return Integer.parseInt(statusLine.split(" ")[1]);
        }
    }

    Socket socket() {
        return socket;
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Sends a request without a body, with the field Host. */
    RawClient get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException(line.toString());
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    /** Reads the answer to a request other than HEAD. */
    Answer answer() throws IOException {
        return answer(false);
    }

    Answer answer(boolean toHead) throws IOException {
        String status = line();
        Map<String, String> fields = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            String[] parts = line.split(":", 2);
            fields.merge(parts[0].toLowerCase(Locale.ROOT), parts[1].strip(), (a, b) -> a + ", " + b);
        }
        int code = Integer.parseInt(status.split(" ")[1]);
        boolean without = toHead || code < 200 || code == 204 || code == 304;
        return new Answer(status, fields, without ? "" : body(fields));
    }

    private String body(Map<String, String> fields) throws IOException {
        byte[] body;
        if ("chunked".equals(fields.get("transfer-encoding"))) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                all.write(exactly(size));
                line();
            }
            line();
            body = all.toByteArray();
        } else if (fields.containsKey("content-length")) {
            body = exactly(Integer.parseInt(fields.get("content-length")));
        } else {
            body = in.readAllBytes();
        }
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    /** Reads until these bytes have come behind others, and returns what is missing of them: nothing. */
    String readTo(String wanted) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith(wanted)) {
            int c = in.read();
            if (c < 0) {
                return wanted;
            }
            read.append((char) c);
        }
        return "";
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException(bytes.length + " bytes of " + count);
        }
        return bytes;
    }

    /** Returns true if the server has ended the connection, orderly or not, behind what was read. */
    boolean isEnded() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
