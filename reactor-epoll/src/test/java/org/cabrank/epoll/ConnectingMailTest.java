package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mail to a connection that is still being made waits until the connection is open. */
@Tag("newest") // on an older JDK in a soak only
class ConnectingMailTest extends StreamContract {
    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(TestKernel.any());
    }

    /**
     * The peer's queue is full at first, so the kernel asks it once more after a second (tcp(7)): time for the mail to come before
     * the connection is established.
     */
    @Test
    void rebalancingMovesAConnectionThatWasBeingMadeWhenItIsOpen() throws Exception {
        try (ServerSocket server =
                new ServerSocket(0, 1, TestReactor.loopback(0).getAddress())) {
            List<Socket> waiting = new ArrayList<>();
            for (int i = 0; i < 2; i++) { // one more than the backlog (listen(2))
                waiting.add(new Socket(server.getInetAddress(), server.getLocalPort()));
            }
            TestReactor reactor = start(StreamReactor.builder().shards(2));
            List<Recorder> recorders = List.of(new Recorder(), new Recorder());
            for (Recorder recorder : recorders) {
                reactor.reactor()
                        .connect(server.getLocalSocketAddress(), ConnectOptions.DEFAULT.withShard(0), recorder);
            }
            Await.until("both are being made", () -> reactor.handleCount() == 2);
            CompletableFuture<Integer> moved = reactor.reactor().rebalance(1);
            for (Socket socket : waiting) {
                server.accept().close();
                socket.close();
            }
            List<Socket> accepted = List.of(server.accept(), server.accept());
            assertEquals(1, moved.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertEquals(
                    1,
                    recorders.get(0).connection().shard()
                            + recorders.get(1).connection().shard());
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }
}
