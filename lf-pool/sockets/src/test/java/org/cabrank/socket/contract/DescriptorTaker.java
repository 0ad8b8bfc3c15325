package org.cabrank.socket.contract;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * Logs the bytes that it is given. An upper-case letter comes with as many descriptors as its place in the alphabet, A with one; they
 * are eventfds, whose values the log names in brackets, and are closed. A value of 0 stands for a descriptor that is missing.
 */
final class DescriptorTaker implements ConnectionHandler {
    private final Kernel kernel;
    private final StringBuffer log = new StringBuffer();

    DescriptorTaker(Kernel kernel) {
        this.kernel = kernel;
    }

    String log() {
        return log.toString();
    }

    @Override
    public void data(Connection connection, ByteBuffer data) {
        while (data.hasRemaining()) {
            char letter = (char) data.get();
            log.append(letter);
            if (Character.isUpperCase(letter)) {
                take(connection, letter - 'A' + 1);
            }
        }
    }

    private void take(Connection connection, int count) {
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < count; i++) {
            values.append(i == 0 ? "[" : ",")
                    .append(value(connection.unixSocket().takeDescriptor()));
        }
        log.append(values).append(']');
    }

    private long value(int descriptor) {
        if (descriptor < 0) {
            return 0;
        }
        if (kernel.fcntl(descriptor, FileFlags.F_GETFD, 0) != FileFlags.FD_CLOEXEC) {
            log.append("inherited!");
        }
        ByteBuffer value = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        int result = kernel.read(descriptor, kernel.addressOf(value), Long.BYTES);
        kernel.close(descriptor);
        return result == Long.BYTES ? value.getLong(0) : result;
    }
}
