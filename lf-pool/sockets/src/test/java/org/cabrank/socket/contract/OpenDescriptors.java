package org.cabrank.socket.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The descriptors of this process. */
public final class OpenDescriptors {
    /** The JDK keeps a socket of its own from the first that it closes on. */
    static {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SocketChannel client = SocketChannel.open(server.getLocalSocketAddress());
                Socket accepted = server.accept()) {
            client.write(ByteBuffer.allocate(1));
            accepted.getInputStream().read();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private OpenDescriptors() {}

    /** Sockets, epolls and eventfds that are open; files come and go as classes are loaded. */
    public static int count() {
        int count = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                count += isOurs(descriptor) ? 1 : 0;
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return count;
    }

    /** The descriptor of a file that is open. */
    public static int of(Path file) throws IOException {
        Path wanted = file.toRealPath();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                if (target(descriptor).equals(wanted.toString())) {
                    return Integer.parseInt(descriptor.getFileName().toString());
                }
            }
        }
        throw new AssertionError(file + " is not open");
    }

    private static boolean isOurs(Path descriptor) throws IOException {
        String target = target(descriptor);
        return target.startsWith("socket:") || target.startsWith("anon_inode:");
    }

    /** The file behind a descriptor; empty if another thread has closed the descriptor. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException goneMeanwhile) {
            return "";
        }
    }
}
