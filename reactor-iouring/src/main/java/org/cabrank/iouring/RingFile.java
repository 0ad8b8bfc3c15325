package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.socket.transport.OpenFile;
import org.cabrank.stream.Connection;
import org.cabrank.stream.transport.FileOperation;
import org.cabrank.stream.transport.OffloadedFile;
import org.cabrank.stream.transport.StreamConnection;

/** A file. Its requests go to the ring of the connection that makes them. */
final class RingFile extends OffloadedFile implements OpenFile.Holder {
    private final OpenFile file;

    RingFile(OpenFile file) {
        super(file.path());
        this.file = file;
    }

    @Override
    public OpenFile openFile() {
        return file;
    }

    @Override
    protected void start(Connection connection, FileOperation operation) {
        if (!(connection instanceof StreamConnection asking) || !(asking.io() instanceof RingIo io)) {
            throw new IllegalArgumentException(
                    this + " is for connections over io_uring, which " + connection + " is not");
        }
        io.newFileRequest(file.fd(), operation).start();
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
