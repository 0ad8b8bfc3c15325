package org.cabrank.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.observe.Imbalance;
import org.cabrank.stream.transport.StreamShard;

final class Rebalancing {
    private final List<Deque<Connection>> connections = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> moves = new ArrayList<>();

    Rebalancing(List<StreamShard> shards) {
        shards.forEach(shard -> connections.add(new ArrayDeque<>(shard.connections())));
    }

    CompletableFuture<Integer> begin(int movesMax) {
        Imbalance now = imbalance();
        while (moves.size() < movesMax && difference(now) > 1) {
            Connection connection = connections.get(now.most()).removeLast();
            connections.get(now.least()).addFirst(connection);
            moves.add(connection.moveTo(now.least()));
            now = imbalance();
        }
        return CompletableFuture.allOf(moves.toArray(CompletableFuture[]::new))
                .handle((all, refused) -> (int) moves.stream()
                        .filter(move -> !move.isCompletedExceptionally() && move.join())
                        .count());
    }

    private Imbalance imbalance() {
        return Imbalance.of(connections.stream().mapToLong(Deque::size).toArray());
    }

    private int difference(Imbalance now) {
        return connections.get(now.most()).size() - connections.get(now.least()).size();
    }
}
