package org.cabrank.netty;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** A client of a server with TLS that behaves badly; the server closes its connection, or it does. */
enum HostilePeer {
    /** Sends no TLS. */
    GARBAGE {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            byte[] garbage = new byte[5_000];
            new Random(1).nextBytes(garbage);
            socket.getOutputStream().write(garbage);
            readToTheEnd(socket.getInputStream(), 1_000);
        }
    },
    /** Sends the first bytes of a handshake's record, and its end. */
    HALF_A_HANDSHAKE {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0});
            socket.shutdownOutput();
            readToTheEnd(socket.getInputStream(), 1_000);
        }
    },
    /** Sends the first bytes of a handshake's record, and a reset. */
    RESET_IN_A_HANDSHAKE {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0});
            socket.setSoLinger(true, 0);
        }
    },
    /** Reads a long answer in small pieces through a small receive buffer. */
    SLOW_READER {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            try (SSLSocket secured = ask(socket, tls)) {
                InputStream in = secured.getInputStream();
                byte[] piece = new byte[400]; // few pieces, because on a busy machine each yield may take milliseconds
                int left = 40_000;
                for (int count = 0; left > 0 && count >= 0; left -= count) {
                    count = in.read(piece);
                    Thread.yield();
                }
            }
        }
    },
    /** Asks, and resets while the answer is under way. */
    RESET_IN_AN_ANSWER {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            SSLSocket secured = ask(socket, tls);
            secured.getInputStream().read();
            socket.setSoLinger(true, 0);
        }
    },
    /** Asks, and sends its end without that of TLS. */
    TRUNCATED {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            ask(socket, tls);
            socket.shutdownOutput();
            readToTheEnd(socket.getInputStream(), 1_000);
        }
    },
    /** Sends garbage after a good handshake. */
    GARBAGE_BEHIND_A_HANDSHAKE {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            ask(socket, tls);
            OutputStream raw = socket.getOutputStream();
            byte[] garbage = new byte[5_000];
            new Random(2).nextBytes(garbage);
            garbage[0] = 23; // a record of data, which cannot be decrypted
            garbage[1] = 3;
            garbage[2] = 3;
            garbage[3] = 1;
            raw.write(garbage);
            readToTheEnd(socket.getInputStream(), 1_000);
        }
    },
    /** Asks many times and never reads. */
    DEAF {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) throws IOException {
            SSLSocket secured = ask(socket, tls);
            for (int i = 0; i < 50; i++) {
                secured.getOutputStream().write(i);
            }
            socket.setSoLinger(true, 0);
        }
    },
    /** Says nothing. */
    SILENT {
        @Override
        void speak(Socket socket, SSLSocketFactory tls) {}
    };

    abstract void speak(Socket socket, SSLSocketFactory tls) throws IOException;

    /** Speaks and hangs up; the server may hang up first. */
    void visit(InetSocketAddress server, SSLSocketFactory tls) {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(server);
            speak(socket, tls);
        } catch (IOException ended) {
            // by the server, as it may
        }
    }

    private static SSLSocket ask(Socket socket, SSLSocketFactory tls) throws IOException {
        SSLSocket secured = (SSLSocket) tls.createSocket(socket, "localhost", socket.getPort(), false);
        secured.startHandshake();
        secured.getOutputStream().write(1);
        return secured;
    }

    private static void readToTheEnd(InputStream in, int piece) throws IOException {
        byte[] bytes = new byte[piece];
        while (in.read(bytes) >= 0) {
            Thread.yield();
        }
    }
}
