package org.cabrank.socket.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.cabrank.stream.transport.FileOperation;
import org.cabrank.stream.transport.ThreadedFile;

final class DescriptorFile extends ThreadedFile implements OpenFile.Holder {
    private final OpenFile file;

    DescriptorFile(OpenFile file, Executor threads) {
        super(file.path(), threads);
        this.file = file;
    }

    @Override
    public OpenFile openFile() {
        return file;
    }

    @Override
    protected int step(FileOperation operation) throws IOException {
        return switch (operation.kind()) {
            case READ -> file.read(operation.buffer(), operation.position());
            case WRITE -> file.write(operation.buffer(), operation.position());
            case SYNC, SYNC_DATA -> {
                file.sync(operation.kind() == FileOperation.Kind.SYNC_DATA);
                yield 0;
            }
        };
    }

    @Override
    protected int readAt(ByteBuffer into, long position) throws IOException {
        int count = file.read(into, position);
        into.position(into.position() + count);
        return count;
    }

    @Override
    protected void closeDescriptor() throws IOException {
        file.close();
    }
}
