package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executor;

/** A file that the JDK opens. Used for a file system other than the machine's, and for backends that use no kernel calls. */
public final class ChannelFile extends ThreadedFile {
    private final FileChannel channel;

    private ChannelFile(Path path, FileChannel channel, Executor threads) {
        super(path, threads);
        this.channel = channel;
    }

    public static ChannelFile open(Path path, Set<OpenOption> options, Executor threads) throws IOException {
        return new ChannelFile(path, FileChannel.open(path, options), threads);
    }

    /** Passes duplicates of the buffer, because the operation itself moves the position of the buffer. */
    @Override
    protected int step(FileOperation operation) throws IOException {
        return switch (operation.kind()) {
            case READ -> Math.max(0, channel.read(operation.buffer().duplicate(), operation.position()));
            case WRITE -> channel.write(operation.buffer().duplicate(), operation.position());
            case SYNC, SYNC_DATA -> {
                channel.force(operation.kind() == FileOperation.Kind.SYNC);
                yield 0;
            }
        };
    }

    @Override
    protected int readAt(ByteBuffer into, long position) throws IOException {
        try {
            return channel.read(into, position);
        } catch (RuntimeException unfit) { // not open for reading, for instance
            throw new IOException("reading " + path() + " failed: " + unfit, unfit);
        }
    }

    @Override
    protected void closeDescriptor() throws IOException {
        channel.close();
    }
}
