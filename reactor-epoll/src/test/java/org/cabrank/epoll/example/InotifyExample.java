package org.cabrank.epoll.example;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Inotify;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.source.FileEvent;
import org.cabrank.socket.source.InotifySource;
import org.cabrank.socket.source.InotifyWatch;

/** Settings that are loaded anew when their file is replaced, as an editor or a deployment does it: by a rename. */
public final class InotifyExample implements AutoCloseable {
    private final Path file;
    private final EpollHandleSet set;
    private final LeaderFollowersPool pool;
    private final BlockingQueue<String> loaded = new LinkedBlockingQueue<>();

    public InotifyExample(Kernel kernel, Path file) throws Exception {
        this.file = file;
        this.set = new EpollHandleSet(kernel, Deactivation.CLAIM);
        this.pool = new LeaderFollowersPool(set, PoolConfig.of("settings", 1));
        InotifySource source = InotifySource.open(set, overflow -> load());
        // The directory, not the file: a rename puts another file in its place, which nobody watches yet.
        source.watch(
                file.getParent(), Inotify.IN_MOVED_TO | Inotify.IN_CLOSE_WRITE | Inotify.IN_ONLYDIR, this::changed);
        load();
        pool.start();
    }

    private void changed(InotifyWatch directory, FileEvent event) throws Exception {
        if (file.getFileName().toString().equals(event.name())) {
            load();
        }
    }

    private void load() throws Exception {
        loaded.add(Files.readString(file));
    }

    /** Returns the loaded configurations, one after the other. */
    public BlockingQueue<String> loaded() {
        return loaded;
    }

    @Override
    public void close() {
        pool.close();
        set.close();
    }
}
