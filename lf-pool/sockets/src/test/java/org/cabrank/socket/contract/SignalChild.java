package org.cabrank.socket.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.source.ReceivedSignal;
import org.cabrank.socket.source.SignalHandler;
import org.cabrank.socket.source.SignalSource;

/**
 * The process that signals are sent to: does what its input says, {@code open NUMBER ...}, {@code close}, and ends with the
 * input. Tells what happens in lines on its output.
 */
final class SignalChild {
    private SignalChild() {}

    /** @param args the class of the {@link SetKind}, the deactivation and the number of threads */
    public static void main(String[] args) throws Exception {
        DescriptorSet set = SetKind.named(args[0]).open(Kernels.system(), Deactivation.valueOf(args[1]));
        try (LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("signals", Integer.parseInt(args[2])))) {
            pool.start();
            obey(set);
        }
        set.close();
    }

    private static void obey(DescriptorSet set) throws Exception {
        Telling telling = null;
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("close")) {
                telling.source.close();
                telling.closed.get();
                System.out.println("closed");
            } else {
                telling = open(
                        set,
                        Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray());
            }
        }
    }

    private static Telling open(DescriptorSet set, int[] signals) throws IOException {
        Telling telling = new Telling();
        // A thread of the pool may report a pending signal before this thread has reported that the source is open.
        synchronized (telling) {
            try {
                telling.source = SignalSource.open(set, telling, signals);
                System.out.println("open " + telling.source);
            } catch (IllegalStateException refused) {
                System.out.println("refused " + refused.getMessage());
            }
        }
        return telling;
    }

    private static final class Telling implements SignalHandler {
        final CompletableFuture<Void> closed = new CompletableFuture<>();
        SignalSource source;

        @Override
        public synchronized void handleSignal(SignalSource own, ReceivedSignal signal) {
            System.out.println("signal " + signal.number() + " code " + signal.code() + " pid " + signal.senderPid()
                    + " uid " + signal.senderUid());
        }

        @Override
        public void handleClosed(SignalSource own, Throwable cause) {
            closed.complete(null);
        }
    }
}
