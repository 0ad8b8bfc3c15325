package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Resources;
import org.cabrank.kernel.layout.ResourceLimit;
import org.junit.jupiter.api.Test;

/** Limits are read, set, and felt. */
public abstract class ResourceCallsContract extends KernelContract {
    private final ByteBuffer limit = memory(ResourceLimit.SIZE_BYTES);

    @Test
    void limitIsTheOneThatTheKernelShows() throws IOException {
        good(kernel().getrlimit(Resources.RLIMIT_NOFILE, address(limit)));
        String shown;
        try (var lines = Files.lines(Path.of("/proc/self/limits"))) {
            shown = lines.filter(line -> line.startsWith("Max open files"))
                    .findFirst()
                    .orElseThrow();
        }
        String[] columns = shown.substring("Max open files".length()).trim().split(" +");
        assertEquals(Long.parseLong(columns[0]), limit.getLong(ResourceLimit.CUR_OFFSET));
        assertEquals(Long.parseLong(columns[1]), limit.getLong(ResourceLimit.MAX_OFFSET));
    }

    @Test
    void noDescriptorIsMadeBeyondTheLimit() {
        close(opened(kernel().eventfd(0, 0)));
        good(kernel().getrlimit(Resources.RLIMIT_NOFILE, address(limit)));
        long before = limit.getLong(ResourceLimit.CUR_OFFSET);
        limit.putLong(ResourceLimit.CUR_OFFSET, 0);
        good(kernel().setrlimit(Resources.RLIMIT_NOFILE, address(limit)));
        // Nothing between here and the restoring may need a descriptor, a class to be loaded for instance.
        int result = kernel().eventfd(0, 0);
        limit.putLong(ResourceLimit.CUR_OFFSET, before);
        int restored = kernel().setrlimit(Resources.RLIMIT_NOFILE, address(limit));
        good(restored);
        assertErrno(Errno.EMFILE, result);
        close(opened(kernel().eventfd(0, 0)));
    }

    @Test
    void nonsenseIsRefused() {
        assertErrno(Errno.EINVAL, kernel().getrlimit(9_999, address(limit)));
        assertErrno(Errno.EFAULT, kernel().getrlimit(Resources.RLIMIT_NOFILE, 1));
        limit.putLong(ResourceLimit.CUR_OFFSET, 2).putLong(ResourceLimit.MAX_OFFSET, 1);
        assertErrno(Errno.EINVAL, kernel().setrlimit(Resources.RLIMIT_CORE, address(limit)));
    }
}
