package org.cabrank.bench.text;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** {@code HOST:PORT} as on the command line. An IPv6 address has brackets there, but not in {@code host}. */
public record HostPort(String host, int port) {

    private static final int GROUPS = 8;

    /** Reads {@code HOST:PORT}, without resolving the host. */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw wrong(text, "expected HOST:PORT, such as 127.0.0.1:7000 or [::1]:7000");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw wrong(text, "an IPv6 address stands in brackets, such as [::1]:7000");
        }
        if (host.isEmpty()) {
            throw wrong(text, "the host is missing");
        }
        return new HostPort(host, port(text, text.substring(colon + 1)));
    }

    private static int port(String text, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            throw wrong(text, "the port '" + digits + "' is not a number");
        }
        throw wrong(text, "the port is not in 0 to 65535");
    }

    private static IllegalArgumentException wrong(String text, String why) {
        return new IllegalArgumentException("'" + text + "': " + why);
    }

    public InetSocketAddress resolve() throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }

    /** Formats an address so that {@link #parse} can read it. Makes no DNS lookup. A resolved address is written in numbers. */
    public static String format(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            return address.getHostString() + ":" + address.getPort();
        }
        String host = ip instanceof Inet6Address six ? "[" + shortest(six) + "]" : ip.getHostAddress();
        return host + ":" + address.getPort();
    }

    /** Replaces the longest run of at least two zero groups, or the first of several such runs, by a double colon (RFC 5952). */
    private static String shortest(Inet6Address address) {
        // Java writes all groups without leading zeros, followed by an interface's scope.
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        String groups = scope < 0 ? text : text.substring(0, scope);
        for (int run = GROUPS; run >= 2; run--) {
            String zeros = ":" + "0:".repeat(run);
            int at = (":" + groups + ":").indexOf(zeros);
            if (at >= 0) {
                String before = groups.substring(0, Math.max(0, at - 1));
                String after = groups.substring(Math.min(groups.length(), at + zeros.length() - 1));
                return before + "::" + after + (scope < 0 ? "" : text.substring(scope));
            }
        }
        return text;
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
