package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * Answers GET and HEAD with pages that are made for each request, such as metrics. One object serves any number of connections. Other
 * requests are refused as {@link HttpHandler} refuses them.
 *
 * @param pages returns the page of a target, which begins with a slash, without its query; null: there is none
 */
public record PageHandler(Function<String, Page> pages) implements ConnectionHandler {
    private static final int MS_OF_SECOND = 1_000;

    /**
     * A page.
     *
     * @param status of HTTP: 200 or 503
     * @param contentType value of the field Content-Type
     */
    public record Page(int status, String contentType, String content) {
        /** A page of plain text. */
        public static Page text(String content) {
            return text(HttpStatus.OK, content);
        }

        /** A page of plain text that reports that the service is unavailable (status 503). */
        public static Page unavailable(String content) {
            return text(HttpStatus.SERVICE_UNAVAILABLE, content);
        }

        static Page text(int status, String content) {
            return new Page(status, "text/plain; charset=utf-8", content);
        }
    }

    private static final Page NOT_FOUND = Page.text(HttpStatus.NOT_FOUND, "not found\n");

    @Override
    public void data(Connection connection, ByteBuffer data) {
        while (data.hasRemaining() && connection.isReceiving()) {
            int start = data.position();
            HttpParser parser = new HttpParser(); // requests are rare, and parsed anew when more of them has come
            int result = parser.parse(data);
            if (result == HttpParser.INCOMPLETE) {
                data.position(start); // given again, with what comes next
                return;
            }
            if (result != HttpParser.REQUEST) {
                answer(connection, Page.text(result, "bad request\n"), true, false);
            } else if (parser.method() != HttpMethod.GET && parser.method() != HttpMethod.HEAD) {
                answer(connection, Page.text(HttpStatus.METHOD_NOT_ALLOWED, "only GET and HEAD\n"), true, true);
            } else {
                Page page = pages.apply(target(data, start));
                boolean ends = !parser.keepsAlive() || connection.isDraining();
                answer(connection, page == null ? NOT_FOUND : page, parser.method() == HttpMethod.GET, !ends);
            }
        }
    }

    /** Returns the target of the request at {@code start}, which the parser has found well-formed, without its query. */
    private static String target(ByteBuffer data, int start) {
        byte[] request = new byte[Math.min(HttpParser.HEAD_BYTES_MAX, data.position() - start)];
        data.get(start, request);
        String[] words =
                new String(request, StandardCharsets.ISO_8859_1).stripLeading().split(" ", 3);
        String target = words[1];
        int path = target.startsWith("/") ? 0 : target.indexOf('/', target.indexOf("//") + 2);
        String local = path < 0 ? "/" : target.substring(path);
        int query = local.indexOf('?');
        return query < 0 ? local : local.substring(0, query);
    }

    private static void answer(Connection connection, Page page, boolean withBody, boolean stays) {
        byte[] body = page.content().getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + page.status() + " " + HttpStatus.reason(page.status()) + "\r\nDate: "
                + HttpDate.format(System.currentTimeMillis() / MS_OF_SECOND)
                + "\r\nContent-Type: " + page.contentType() + "\r\nContent-Length: " + body.length + "\r\n"
                + (stays ? "" : "Connection: close\r\n") + "\r\n";
        ByteBuffer first = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
        if (withBody) {
            connection.write(first, ByteBuffer.wrap(body));
        } else {
            connection.write(first);
        }
        if (!stays) {
            connection.close();
        }
    }
}
