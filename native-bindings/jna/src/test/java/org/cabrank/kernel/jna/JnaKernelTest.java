package org.cabrank.kernel.jna;

import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.EpollCallsContract;
import org.cabrank.kernel.contract.ErrnoContract;
import org.cabrank.kernel.contract.EventCallsContract;
import org.cabrank.kernel.contract.FileCallsContract;
import org.cabrank.kernel.contract.InotifyCallsContract;
import org.cabrank.kernel.contract.IoUringBuffersContract;
import org.cabrank.kernel.contract.IoUringCallsContract;
import org.cabrank.kernel.contract.IoUringOperationsContract;
import org.cabrank.kernel.contract.MemoryCallsContract;
import org.cabrank.kernel.contract.MessageQueueCallsContract;
import org.cabrank.kernel.contract.PriorityCallsContract;
import org.cabrank.kernel.contract.ResourceCallsContract;
import org.cabrank.kernel.contract.SchedulerCallsContract;
import org.cabrank.kernel.contract.SocketCallsContract;
import org.junit.jupiter.api.Nested;

/** Holds {@link JnaKernel} to the contract of every family of calls. */
class JnaKernelTest {
    private static final Kernel KERNEL = new JnaKernel();

    @Nested
    class SocketCallsTest extends SocketCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class EpollCallsTest extends EpollCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class EventCallsTest extends EventCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class FileCallsTest extends FileCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class InotifyCallsTest extends InotifyCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class IoUringBuffersTest extends IoUringBuffersContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class IoUringCallsTest extends IoUringCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class IoUringOperationsTest extends IoUringOperationsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class MessageQueueCallsTest extends MessageQueueCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class MemoryCallsTest extends MemoryCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class SchedulerCallsTest extends SchedulerCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class PriorityCallsTest extends PriorityCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class ResourceCallsTest extends ResourceCallsContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }

    @Nested
    class ErrnoTest extends ErrnoContract {
        @Override
        protected Kernel kernel() {
            return KERNEL;
        }
    }
}
