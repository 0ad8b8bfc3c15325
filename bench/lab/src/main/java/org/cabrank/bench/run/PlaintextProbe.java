package org.cabrank.bench.run;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.load.HttpGet;
import org.cabrank.bench.load.Plaintext;

/** Checks one answer of an HTTP server. All right answers have the same length, so the load generator checks only the length. */
final class PlaintextProbe {

    private static final String END_OF_FIELDS = "\r\n\r\n";
    private static final int ANSWER_BYTES_MAX = 4_096;
    private static final int TIMEOUT_MS = 30_000;

    private PlaintextProbe() {}

    /** Returns the length of one answer. {@code tls} is null if the server does not speak TLS. */
    static int answerBytes(InetSocketAddress server, LabTls tls) throws IOException {
        try (Socket socket = ServerConnection.to(server, tls, TIMEOUT_MS)) {
            socket.getOutputStream().write(request(server));
            String answer = answer(socket.getInputStream());
            boolean right = answer.endsWith(END_OF_FIELDS + Plaintext.BODY)
                    || answer.endsWith(END_OF_FIELDS + Plaintext.SLOW_BODY);
            if (!answer.startsWith(HttpGet.STATUS) || !right) {
                throw new IOException(
                        "answered '" + answer.lines().findFirst().orElse("") + "', expected 200 and " + Plaintext.BODY);
            }
            return answer.length();
        }
    }

    static byte[] request(InetSocketAddress server) {
        return HttpGet.request(server.getHostString() + ":" + server.getPort());
    }

    private static String answer(InputStream in) throws IOException {
        StringBuilder answer = new StringBuilder();
        int bodyAt = -1;
        while (bodyAt < 0
                || answer.indexOf(HttpGet.STATUS) == 0 && answer.length() < bodyAt + Plaintext.BODY.length()) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed instead of answered");
            }
            if (answer.length() == ANSWER_BYTES_MAX) {
                throw new IOException("answered more than " + ANSWER_BYTES_MAX + " bytes");
            }
            answer.append((char) next);
            if (bodyAt < 0 && answer.indexOf(END_OF_FIELDS, answer.length() - END_OF_FIELDS.length()) >= 0) {
                bodyAt = answer.length();
            }
        }
        return answer.toString();
    }
}
