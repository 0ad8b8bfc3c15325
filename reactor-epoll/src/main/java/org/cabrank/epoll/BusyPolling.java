package org.cabrank.epoll;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.EpollParams;
import org.cabrank.stream.BackendUnavailableException;

/** Sets the busy polling of an epoll descriptor, and reads the setting back (EPIOCSPARAMS, EPIOCGPARAMS). */
final class BusyPolling {
    /** Largest budget for which the kernel requires no capability (NAPI_POLL_WEIGHT). */
    private static final int BUDGET_OF_ALL = 64;

    private BusyPolling() {}

    /** Sets the requested parameters. Throws an IOException with cause and remedy if the kernel refuses them or reports other values. */
    static void set(Kernel kernel, int epollFd, EpollOptions options) throws IOException {
        if (options.busyPoll().isZero()) {
            return;
        }
        ByteBuffer params = ByteBuffer.allocateDirect(EpollParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
        params.putInt(EpollParams.BUSY_POLL_USECS_OFFSET, options.busyPollUs());
        params.putShort(EpollParams.BUSY_POLL_BUDGET_OFFSET, (short) options.busyPollBudget());
        params.put(EpollParams.PREFER_BUSY_POLL_OFFSET, (byte) (options.preferBusyPoll() ? 1 : 0));
        require(options, "EPIOCSPARAMS", ioctl(kernel, epollFd, Epoll.EPIOCSPARAMS, params));
        params.putLong(0, 0);
        require(options, "EPIOCGPARAMS", ioctl(kernel, epollFd, Epoll.EPIOCGPARAMS, params));
        String present = description(
                Integer.toUnsignedLong(params.getInt(EpollParams.BUSY_POLL_USECS_OFFSET)),
                Short.toUnsignedInt(params.getShort(EpollParams.BUSY_POLL_BUDGET_OFFSET)),
                params.get(EpollParams.PREFER_BUSY_POLL_OFFSET) != 0);
        if (!present.equals(describe(options))) {
            throw new BackendUnavailableException("epoll: the kernel was asked for " + describe(options) + ", and has "
                    + present + "; leave busy polling out");
        }
    }

    static String describe(EpollOptions options) {
        return description(options.busyPollUs(), options.busyPollBudget(), options.preferBusyPoll());
    }

    private static String description(long us, int budget, boolean preferred) {
        return us == 0
                ? "no busy polling"
                : "busy polling for " + us + " us, up to " + budget + " packets at a time"
                        + (preferred ? ", preferred to interrupts" : "");
    }

    private static int ioctl(Kernel kernel, int epollFd, long request, ByteBuffer params) {
        return NativeArgument.pass(kernel, params, address -> kernel.ioctl(epollFd, request, address));
    }

    private static void require(EpollOptions options, String request, int result) throws IOException {
        if (result < 0) {
            throw new BackendUnavailableException("epoll: " + describe(options) + " is refused: "
                    + Errno.exception("ioctl " + request, result).getMessage() + "; " + remedy(options, -result));
        }
    }

    private static String remedy(EpollOptions options, int errno) {
        return switch (errno) {
            case Errno.ENOTTY -> "Linux has it from 6.9 on: use such a kernel, or leave busy polling out";
            case Errno.EOPNOTSUPP ->
                "this kernel is built without CONFIG_NET_RX_BUSY_POLL: use one that has it, or leave busy polling out";
            case Errno.EPERM ->
                options.busyPollBudget() > BUDGET_OF_ALL
                        ? "a budget of more than " + BUDGET_OF_ALL
                                + " packets takes CAP_NET_ADMIN: choose a smaller one, or"
                                + " grant the capability (setcap, systemd AmbientCapabilities)"
                        : "a seccomp filter refuses the call, probably: allow it, or leave busy polling out";
            case Errno.ENOSYS, Errno.EACCES ->
                "a seccomp filter refuses the call, probably: allow it, or leave busy polling out";
            case Errno.EINVAL ->
                "the kernel does not take these values: choose smaller ones, or leave busy polling out";
            default -> "leave busy polling out";
        };
    }
}
