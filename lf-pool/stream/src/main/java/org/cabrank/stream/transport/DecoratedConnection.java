package org.cabrank.stream.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.Reply;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.UnixSocket;

/** Delegates all calls to the connection below. A decorator passes itself to continuations, completions and replacing handlers. */
public abstract class DecoratedConnection implements Connection, DecoratorOutput {
    private final Connection connection;
    private final DecoratorOutput output;

    protected DecoratedConnection(Connection connection) {
        this.connection = connection;
        this.output = DecoratorOutput.of(connection);
    }

    final Connection decoratedConnection() {
        return connection;
    }

    @Override
    public SocketAddress remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public long id() {
        return connection.id();
    }

    @Override
    public int shard() {
        return connection.shard();
    }

    @Override
    public CompletableFuture<Boolean> moveTo(int shard) {
        return connection.moveTo(shard);
    }

    @Override
    public SocketAddress localAddress() {
        return connection.localAddress();
    }

    @Override
    public <T> void option(SocketOption<T> option, T value) throws IOException {
        connection.option(option, value);
    }

    @Override
    public <T> T option(SocketOption<T> option) throws IOException {
        return connection.option(option);
    }

    @Override
    public TcpInfo tcpInfo() throws IOException {
        return connection.tcpInfo();
    }

    @Override
    public UnixSocket unixSocket() {
        return connection.unixSocket();
    }

    @Override
    public void write(ByteBuffer data) {
        connection.write(data);
    }

    @Override
    public void write(ByteBuffer head, ByteBuffer body) {
        connection.write(head, body);
    }

    @Override
    public void writeUnbounded(ByteBuffer data) {
        output.writeUnbounded(data);
    }

    @Override
    public boolean actsAtOnce() {
        return output.actsAtOnce();
    }

    @Override
    public void handOver(Runnable call, CallKind kind) {
        output.handOver(call, kind);
    }

    @Override
    public void countHeldBack(int bytes) {
        output.countHeldBack(bytes);
    }

    @Override
    public void beginClose() {
        output.beginClose();
    }

    @Override
    public boolean isGone() {
        return output.isGone();
    }

    @Override
    public void sendFile(ReactorFile file, long position, long count) throws IOException {
        connection.sendFile(file, position, count);
    }

    @Override
    public void flush() {
        connection.flush();
    }

    @Override
    public long queuedBytes() {
        return connection.queuedBytes();
    }

    @Override
    public boolean isWritable() {
        return connection.isWritable();
    }

    @Override
    public void pauseReading() {
        connection.pauseReading();
    }

    @Override
    public void resumeReading() {
        connection.resumeReading();
    }

    @Override
    public void holdInput(boolean held) {
        output.holdInput(held);
    }

    @Override
    public int pausesEnded() {
        return output.pausesEnded();
    }

    @Override
    public void requireRoom(int bytes) {
        output.requireRoom(bytes);
    }

    @Override
    public boolean isInCallback() {
        return connection.isInCallback();
    }

    @Override
    public boolean isDraining() {
        return connection.isDraining();
    }

    @Override
    public boolean isReceiving() {
        return connection.isReceiving();
    }

    @Override
    public StreamLimits limits() {
        return connection.limits();
    }

    @Override
    public void shutdownOutput() {
        connection.shutdownOutput();
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public void abort() {
        connection.abort();
    }

    @Override
    public void deadline(Duration limit) {
        connection.deadline(limit);
    }

    @Override
    public void execute(Runnable task) {
        connection.execute(task);
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        return connection.schedule(delay, task);
    }

    @Override
    public ScheduledTask scheduleEvery(Duration first, Duration period, Runnable task) {
        return connection.scheduleEvery(first, period, task);
    }

    @Override
    public void promoteNewLeader() {
        connection.promoteNewLeader();
    }

    @Override
    public <T> Reply<T> newReply() {
        return connection.newReply();
    }

    @Override
    public <T> T attachment(AttachmentKey<T> key) {
        return connection.attachment(key);
    }

    @Override
    public <T> void attach(AttachmentKey<T> key, T value) {
        connection.attach(key, value);
    }
}
