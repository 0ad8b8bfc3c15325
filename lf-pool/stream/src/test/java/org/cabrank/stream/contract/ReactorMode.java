package org.cabrank.stream.contract;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.BackendProvider;

/**
 * Construction of the reactor under test.
 *
 * @param name for the report
 * @param provider makes the backend; a new one for each reactor
 * @param threads for each shard; 0: each shard grows
 * @param layer between the handlers and the sockets
 */
public record ReactorMode(
        String name,
        BackendProvider provider,
        int threads,
        Promotion promotion,
        Deactivation deactivation,
        Waiting waiting,
        int shards,
        AcceptMode accept,
        StreamLayer layer) {

    /** One shard, unless the test wants several; nothing between handlers and sockets. */
    public ReactorMode(
            String name,
            BackendProvider provider,
            int threads,
            Promotion promotion,
            Deactivation deactivation,
            Waiting waiting) {
        this(name, provider, threads, promotion, deactivation, waiting, 1, AcceptMode.EXCLUSIVE, StreamLayer.NONE);
    }

    /** Several shards, and how they share an address. */
    public ReactorMode withShards(int count, AcceptMode sharing) {
        return new ReactorMode(
                name + " " + count + " shards " + sharing,
                provider,
                threads,
                promotion,
                deactivation,
                waiting,
                count,
                sharing,
                layer);
    }

    /** The same reactor, with a layer between handlers and sockets. */
    public ReactorMode withLayer(String layerName, StreamLayer between) {
        return new ReactorMode(
                name + " " + layerName, provider, threads, promotion, deactivation, waiting, shards, accept, between);
    }

    /** Connects a client of the layer. */
    TestClient connect(SocketAddress address) throws IOException {
        return TestClient.of(SocketChannel.open(address), layer);
    }

    /** Connects a client of the layer that takes few bytes unless it reads. */
    TestClient connectToReadLittle(SocketAddress address) throws IOException {
        return connectToRead(address, TestClient.RECEIVE_BUFFER);
    }

    /** As {@link #connectToReadLittle}, with room for about so many bytes that are not read yet. */
    TestClient connectToRead(SocketAddress address, int receiveBufferBytes) throws IOException {
        return TestClient.connectToRead(address, receiveBufferBytes, layer);
    }

    @Override
    public String toString() {
        return name;
    }
}
