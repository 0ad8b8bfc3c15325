package org.cabrank.proxy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The header of version 1. It is a line of text such as {@code PROXY TCP4 192.0.2.1 192.0.2.2 50000 443}, and ends with CR LF. */
final class HeaderVersion1 {
    static final int BYTES_MAX = 107;

    static final byte[] SIGNATURE = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    private static final String UNKNOWN = "PROXY UNKNOWN";
    private static final String TCP4 = "TCP4";
    private static final String TCP6 = "TCP6";
    private static final String LINE_END = "\r\n";
    private static final int FIELDS = 6;
    private static final int PORT_MAX = 65_535;

    private HeaderVersion1() {}

    static ProxyHeader decode(ByteBuffer bytes) throws ProxyProtocolException {
        int from = bytes.position();
        int end = from;
        int searchEnd = Math.min(bytes.limit(), from + BYTES_MAX - 1); // a line feed follows
        while (end < searchEnd && bytes.get(end) != '\r') {
            if (bytes.get(end) == '\n') {
                throw new ProxyProtocolException(
                        "the line of the PROXY header has a line feed without a carriage return");
            }
            end++;
        }
        if (end == from + BYTES_MAX - 1) {
            throw new ProxyProtocolException("the line of the PROXY header is longer than " + BYTES_MAX + " bytes");
        }
        if (end + 1 >= bytes.limit()) {
            return null;
        }
        if (bytes.get(end + 1) != '\n') {
            throw new ProxyProtocolException("the line of the PROXY header has a carriage return without a line feed");
        }
        byte[] line = new byte[end - from];
        bytes.get(from, line);
        ProxyHeader header = parse(new String(line, StandardCharsets.ISO_8859_1));
        bytes.position(end + LINE_END.length());
        return header;
    }

    private static ProxyHeader parse(String line) throws ProxyProtocolException {
        if (line.equals(UNKNOWN) || line.startsWith(UNKNOWN + " ")) {
            return ProxyHeader.v1Unknown(); // the rest has no meaning
        }
        String[] fields = line.split(" ", -1);
        boolean ipv4 = fields[1].equals(TCP4);
        if (!ipv4 && !fields[1].equals(TCP6)) {
            throw new ProxyProtocolException("the protocol of a PROXY header must be TCP4, TCP6 or UNKNOWN");
        }
        if (fields.length != FIELDS) {
            throw new ProxyProtocolException("a PROXY header of version 1 has " + FIELDS
                    + " fields between single spaces, not " + fields.length);
        }
        return ProxyHeader.v1(
                address(ipv4, fields[2], fields[4], "source"), address(ipv4, fields[3], fields[5], "destination"));
    }

    private static InetSocketAddress address(boolean ipv4, String address, String port, String side)
            throws ProxyProtocolException {
        byte[] bytes = ipv4 ? IpLiteral.ipv4(address) : IpLiteral.ipv6(address);
        if (bytes == null) {
            throw new ProxyProtocolException(
                    "the " + side + " of the PROXY header is no IPv" + (ipv4 ? '4' : '6') + " address");
        }
        int number = IpLiteral.decimal(port, PORT_MAX);
        if (number < 0) {
            throw new ProxyProtocolException(
                    "the " + side + " port of the PROXY header is no number from 0 to " + PORT_MAX);
        }
        return new InetSocketAddress(IpLiteral.address(bytes), number);
    }

    static ByteBuffer encode(ProxyHeader header) {
        StringBuilder line = new StringBuilder(BYTES_MAX);
        if (header.kind() == ProxyHeader.Kind.UNKNOWN) {
            line.append(UNKNOWN);
        } else {
            InetSocketAddress source = (InetSocketAddress) header.source().orElseThrow();
            InetSocketAddress destination =
                    (InetSocketAddress) header.destination().orElseThrow();
            boolean ipv4 = header.isIpv4();
            line.append("PROXY ").append(ipv4 ? TCP4 : TCP6);
            line.append(' ').append(text(source, ipv4)).append(' ').append(text(destination, ipv4));
            line.append(' ').append(source.getPort()).append(' ').append(destination.getPort());
        }
        return StandardCharsets.US_ASCII.encode(line.append(LINE_END).toString());
    }

    private static String text(InetSocketAddress address, boolean ipv4) {
        byte[] bytes = address.getAddress().getAddress();
        return IpLiteral.text(ipv4 ? bytes : IpLiteral.mapped(bytes));
    }
}
