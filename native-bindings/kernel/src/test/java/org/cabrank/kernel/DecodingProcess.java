package org.cabrank.kernel;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Another JVM that decodes the address on its command line, and prints it. */
final class DecodingProcess {
    private DecodingProcess() {}

    public static void main(String[] arguments) {
        byte[] address = HexFormat.of().parseHex(arguments[0]);
        System.out.println("decoded '" + SocketAddresses.decode(ByteBuffer.wrap(address), address.length) + "'");
    }
}
