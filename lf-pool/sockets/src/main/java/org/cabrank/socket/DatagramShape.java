package org.cabrank.socket;

/** Size of a {@link DatagramBatch} and of each datagram in it. If {@code bytes} is 0, the datagrams are in memory of the reactor. */
record DatagramShape(int count, int bytes, int controlBytes) {
    static DatagramShape ofReactor(int count) {
        return new DatagramShape(count, 0, 0);
    }

    boolean isOfReactor() {
        return bytes == 0;
    }
}
