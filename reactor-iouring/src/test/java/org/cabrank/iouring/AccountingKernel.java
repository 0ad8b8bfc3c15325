package org.cabrank.iouring;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;

/**
 * Keeps account of the descriptors and the memory that a ring is made with, and refuses one of the calls that make it, by its
 * number.
 */
public class AccountingKernel extends ForwardingKernel {
    private final Set<Integer> open = Collections.synchronizedSet(new HashSet<>());
    private final Set<Integer> sockets = Collections.synchronizedSet(new HashSet<>());
    private final Map<Long, Long> mapped = Collections.synchronizedMap(new HashMap<>());
    private int calls;
    private int refusedCall;
    private int refusal;

    public AccountingKernel(Kernel next) {
        super(next);
    }

    /** @param nth from 1, of the calls that make a ring, counted from now; @param errno the result of the call */
    public AccountingKernel refuse(int nth, int errno) {
        calls = 0;
        refusedCall = nth;
        refusal = -errno;
        return this;
    }

    /** Of the calls that make a ring, since the last refusal was planned. */
    int calls() {
        return calls;
    }

    /** Returns true if there were so many calls. */
    public boolean hasRefused() {
        return calls >= refusedCall;
    }

    /** Descriptors that are open and memory that is mapped, as a sentence; empty: none. */
    public String kept() {
        return (open.isEmpty() ? "" : "descriptors " + open + " are open ")
                + (mapped.isEmpty() ? "" : "memory is mapped at " + mapped);
    }

    private long counted(LongSupplier asked) {
        return ++calls == refusedCall ? refusal : asked.getAsLong();
    }

    private int opened(LongSupplier asked) {
        int fd = (int) counted(asked);
        if (fd >= 0) {
            open.add(fd);
        }
        return fd;
    }

    @Override
    public int ioUringSetup(int entries, long params) {
        return opened(() -> next().ioUringSetup(entries, params));
    }

    @Override
    public int ioUringRegister(int fd, int opcode, long arg, int count) {
        return (int) counted(() -> next().ioUringRegister(fd, opcode, arg, count));
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        return opened(() -> next().eventfd(initialValue, flags));
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        long result = counted(() -> next().mmap(address, length, protection, flags, fd, offset));
        if (result > 0 || result < -Errno.MAX_ERRNO) {
            mapped.put(result, length);
        }
        return result;
    }

    @Override
    public int munmap(long address, long length) {
        if (!mapped.remove(address, length)) {
            throw new AssertionError("nothing of " + length + " bytes is mapped at " + address);
        }
        return next().munmap(address, length);
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return socket(next().socket(domain, type, protocol));
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        return socket(next().accept4(fd, address, lengthAddress, flags));
    }

    /** A ring may close it, too, so one that is open is not noted as kept. */
    private int socket(int fd) {
        sockets.add(fd);
        return fd;
    }

    @Override
    public int close(int fd) {
        if (!open.remove(fd) && !sockets.remove(fd)) {
            throw new AssertionError("fd " + fd + " is not open");
        }
        return next().close(fd);
    }
}
