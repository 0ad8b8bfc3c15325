package org.cabrank.httpserver;

import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.message.HttpStatus;

/**
 * Translates the headers of an answer from the API to HTTP. In the API, length 0 means an unknown length, and -1 means no body. The
 * connection writes the fields that decide the framing. A program's values of these fields are only requests.
 */
record ResponseHeaders(HttpExchange http, Headers headers, boolean toHead) {
    private static final int FINAL_MIN = 200;

    /** Passes the status and the fields to the connection. They are sent with the first bytes of the body, or now if there is no body. */
    void send(int status, long length, ResponseBody output) throws IOException {
        if (status < HttpStatus.MIN || status > HttpStatus.MAX || status == HttpStatus.SWITCHING_PROTOCOLS) {
            throw new IOException("an answer has a status from 100 to 599 but 101, not " + status);
        }
        if (status < FINAL_MIN) {
            // A 100 is sent without fields. Fields that were added for it would stand in the final answer twice.
            if (status != HttpStatus.CONTINUE) {
                addFields();
            }
            http.sendInterim(status);
            return; // the final answer follows
        }
        boolean without = toHead || HttpStatus.forbidsContent(status) || length < 0;
        if (!without) {
            note(length);
        }
        addFields();
        if (!without) {
            output.open(status, length == 0 ? ResponseBody.UNKNOWN : length);
            return;
        }
        output.openAndClose();
        if (toHead && !HttpStatus.forbidsContent(status)) {
            http.begin(status, announcedLength());
            http.end();
        } else {
            http.send(status);
        }
    }

    /** Sets the fields of the framing for programs that read them, as the JDK's server does. */
    private void note(long length) {
        if (length > 0) {
            headers.set("Content-length", Long.toString(length));
        } else if (!http.isVersion10()) {
            headers.set("Transfer-encoding", "chunked");
        }
    }

    private void addFields() {
        for (Map.Entry<String, List<String>> field : headers.entrySet()) {
            switch (field.getKey()) { // the form in which Headers keeps names: only the first letter is a capital
                case "Connection" -> {
                    if (field.getValue().stream().anyMatch("close"::equalsIgnoreCase)) {
                        http.closeAfterwards();
                    }
                }
                case "Content-length", "Transfer-encoding", "Date", "Upgrade", "Trailer" -> {}
                default -> add(field.getKey(), field.getValue());
            }
        }
    }

    private void add(String name, List<String> values) {
        for (String value : values) {
            http.addField(name, value.indexOf('\n') < 0 ? value : unfolded(value));
        }
    }

    /** Joins a value that is folded over several lines. Folding is obsolete (RFC 9112 section 5.2). */
    private static String unfolded(String value) {
        return value.replaceAll("\r\n[ \t]+", " ");
    }

    /** Returns the length of the body that a GET would get. Returns an unknown length if the program has not set it. */
    private long announcedLength() {
        String length = headers.getFirst("Content-length");
        try {
            return length == null ? HttpExchange.UNKNOWN_LENGTH : Math.max(0, Long.parseLong(length.trim()));
        } catch (NumberFormatException none) {
            return HttpExchange.UNKNOWN_LENGTH;
        }
    }
}
