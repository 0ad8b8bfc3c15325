package org.cabrank.epoll;

import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.MailboxContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;

/** Mailboxes over epoll, in one mode: they are the same in all. */
@Tag("newest") // on an older JDK in a soak only
class EpollMailboxTest extends MailboxContract {
    @Override
    protected ReactorMode mode() {
        return EpollModes.over(TestKernel::any).findFirst().orElseThrow();
    }
}
