package org.cabrank.bench.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * An HTTP server that goes wrong after a right answer, for the bench to find out; a process of its own. On each connection
 * anew: who asks once on a connection, as the bench does before each run, is answered right however often it has run.
 */
final class UntrustworthyHttpServer {

    private static final String RIGHT = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHello, World!";

    private final How how;

    /** The server's behaviour after the first right answer. */
    enum How {
        /** An error with the length of a right answer. */
        ERROR("HTTP/1.1 500 No\r\nContent-Length: 13\r\n\r\nHello, World!"),
        /** One of them is longer than right answers that may be under way on all connections at the end of a run. */
        ELSEWHERE("HTTP/1.1 302 Found\r\nLocation: /" + "elsewhere/".repeat(100) + "\r\nContent-Length: 0\r\n\r\n"),
        SHORT("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello"),
        BROKEN(""),
        /** From the first answer on. */
        ERROR_AT_ONCE("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");

        private final String answer;

        How(String answer) {
            this.answer = answer;
        }
    }

    private UntrustworthyHttpServer(How how) {
        this.how = how;
    }

    public static void main(String... arguments) throws IOException {
        new UntrustworthyHttpServer(How.valueOf(arguments[0])).serve();
    }

    private void serve() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
            System.out.println("listening on 127.0.0.1:" + listener.getLocalPort() + " " + how);
            while (true) {
                Socket connection = listener.accept();
                Thread thread = new Thread(() -> serve(connection), "connection");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void serve(Socket connection) {
        try (connection;
                BufferedReader requests = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))) {
            OutputStream out = connection.getOutputStream();
            boolean first = true;
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                if (line.isEmpty()) {
                    String answer = first && how != How.ERROR_AT_ONCE ? RIGHT : how.answer;
                    first = false;
                    if (answer.isEmpty()) {
                        return;
                    }
                    out.write(answer.getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException clientLeft) {
            System.err.println("a client left: " + clientLeft.getMessage());
        }
    }
}
