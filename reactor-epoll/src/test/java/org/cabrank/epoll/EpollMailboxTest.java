package org.cabrank.epoll;

import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.MailboxContract;
import org.cabrank.stream.contract.ReactorMode;

/** Mailboxes over epoll, in one mode: they are the same in all. */
class EpollMailboxTest extends MailboxContract {
    @Override
    protected ReactorMode mode() {
        return EpollModes.over(TestKernel::any).findFirst().orElseThrow();
    }
}
