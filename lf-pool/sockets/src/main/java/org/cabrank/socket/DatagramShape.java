package org.cabrank.socket;

/**
 * Memory of a {@link DatagramBatch}.
 *
 * @param count datagrams
 * @param bytes bytes for each datagram
 * @param controlBytes bytes for the control data of each datagram
 */
record DatagramShape(int count, int bytes, int controlBytes) {}
