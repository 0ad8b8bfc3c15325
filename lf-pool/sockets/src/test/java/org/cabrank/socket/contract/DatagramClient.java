package org.cabrank.socket.contract;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.UdpSocket;

/** A client of a test with a socket of the JDK's. Loopback loses nothing as long as the buffers have room. */
final class DatagramClient implements AutoCloseable {
    private final DatagramSocket socket;
    private final InetSocketAddress server;

    DatagramClient(InetSocketAddress server) throws IOException {
        this.server = server;
        this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout((int) (Await.PATIENCE_NS / 1_000_000));
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length, server));
    }

    String receive() throws IOException {
        return new String(receiveBytes(), StandardCharsets.ISO_8859_1);
    }

    byte[] receiveBytes() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[UdpSocket.BYTES_MAX], UdpSocket.BYTES_MAX);
        socket.receive(packet);
        return java.util.Arrays.copyOf(packet.getData(), packet.getLength());
    }

    @Override
    public void close() {
        socket.close();
    }
}
