package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.socket.contract.StreamContracts;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.SendFileContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Holds file ranges that are not in the kernel's cache, and that the ring reads, to the contract of file ranges. */
@Tag("once")
class UncachedFileTest extends StreamContracts {
    static Stream<ReactorMode> modes() {
        return RingModes.over(() -> withoutCache(TestKernel.any()));
    }

    private static Kernel withoutCache(Kernel kernel) {
        return new ForwardingKernel(kernel) {
            @Override
            public int preadv2(int fd, long vector, int count, long position, int flags) {
                return -Errno.EAGAIN;
            }
        };
    }

    @Nested
    class SentFiles extends SendFileContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}
