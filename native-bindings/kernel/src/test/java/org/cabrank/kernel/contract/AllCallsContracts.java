package org.cabrank.kernel.contract;

import org.cabrank.kernel.Kernel;
import org.junit.jupiter.api.Nested;

/** The contract of every family of calls, for one way of calling the kernel. */
public abstract class AllCallsContracts {
    private final Kernel kernel;

    protected AllCallsContracts(Kernel kernel) {
        this.kernel = kernel;
    }

    @Nested
    class SocketCallsTest extends SocketCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class DescriptorPassingTest extends DescriptorPassingContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class MessageBatchTest extends MessageBatchContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class EpollCallsTest extends EpollCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class EventCallsTest extends EventCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class FileCallsTest extends FileCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class InotifyCallsTest extends InotifyCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class IoUringBuffersTest extends IoUringBuffersContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class IoUringCallsTest extends IoUringCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class IoUringOperationsTest extends IoUringOperationsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class MessageQueueCallsTest extends MessageQueueCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class MemoryCallsTest extends MemoryCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class MemoryPolicyCallsTest extends MemoryPolicyCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class SocketFiltersTest extends SocketFiltersContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class SchedulerCallsTest extends SchedulerCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class PriorityCallsTest extends PriorityCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class ResourceCallsTest extends ResourceCallsContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }

    @Nested
    class ErrnoTest extends ErrnoContract {
        @Override
        protected Kernel kernel() {
            return kernel;
        }
    }
}
