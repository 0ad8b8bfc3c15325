package org.cabrank.iouring.ring;

/**
 * Wakes by a message. If the kernel refuses the message, wakes by an eventfd. The kernel refuses a message if memory is lacking, or if a
 * defect elsewhere has closed the ring's descriptor. In the second case only the eventfd can wake a thread that waits in io_uring_enter(2).
 */
final class ReservedWaker extends Waker {
    private final Waker messages;
    private final EventfdWaker reserve;

    ReservedWaker(Waker messages, EventfdWaker reserve) {
        this.messages = messages;
        this.reserve = reserve;
    }

    @Override
    int wake() {
        int result = messages.wake();
        if (result == 0) {
            return 0;
        }
        int reserved = reserve.wake();
        return isRingGone(result) ? result : reserved;
    }

    @Override
    void enabled() {
        messages.enabled();
        reserve.enabled();
    }

    @Override
    void arm(SubmissionQueue submissions) {
        reserve.arm(submissions);
    }

    @Override
    void harvested(int result, int flags) {
        if (result != MESSAGE) {
            reserve.harvested(result, flags);
        }
    }

    @Override
    void close() {
        messages.close();
        reserve.close();
    }
}
