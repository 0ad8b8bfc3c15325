package org.cabrank.socket;

/**
 * Memory of a {@link DatagramBatch}.
 *
 * @param count datagrams
 * @param bytes bytes for each datagram; 0: the datagrams lie in memory of the reactor
 * @param controlBytes bytes for the control data of each datagram
 */
record DatagramShape(int count, int bytes, int controlBytes) {
    static DatagramShape ofReactor(int count) {
        return new DatagramShape(count, 0, 0);
    }

    boolean isOfReactor() {
        return bytes == 0;
    }
}
