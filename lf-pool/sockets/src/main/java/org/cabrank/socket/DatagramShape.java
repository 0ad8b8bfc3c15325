package org.cabrank.socket;

/** Memory of a {@link DatagramBatch}: {@code bytes} and {@code controlBytes} for each datagram. 0 {@code bytes}: memory of the reactor. */
record DatagramShape(int count, int bytes, int controlBytes) {
    static DatagramShape ofReactor(int count) {
        return new DatagramShape(count, 0, 0);
    }

    boolean isOfReactor() {
        return bytes == 0;
    }
}
