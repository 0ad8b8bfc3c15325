package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.layout.MessageQueueAttributes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** POSIX message queues: made, filled, emptied by priority, removed. */
public abstract class MessageQueueCallsContract extends KernelContract {
    private static final int MESSAGES_MAX = 3;
    private static final int MESSAGE_BYTES = 16;
    private static final int MAKE = FileFlags.O_CREAT | FileFlags.O_RDWR | FileFlags.O_NONBLOCK | FileFlags.O_CLOEXEC;

    private final ByteBuffer attributes = memory(MessageQueueAttributes.SIZE_BYTES);
    private final ByteBuffer priority = memory(Integer.BYTES);
    private final ByteBuffer into = memory(MESSAGE_BYTES);
    private ByteBuffer name;

    @BeforeEach
    void nameTheQueue() {
        name = queueName("cabrank-test-" + ProcessHandle.current().pid() + "-" + kernel().name());
        int result = kernel().mqUnlink(afterSlash(name));
        assumeTrue(result != -Errno.ENOSYS, "this kernel has no POSIX message queues");
    }

    /** Name with the slash that the C library requires; the kernel itself takes the name without a slash. */
    private static ByteBuffer queueName(String text) {
        return zeroTerminated("/" + text);
    }

    private long afterSlash(ByteBuffer queueName) {
        return address(queueName) + 1;
    }

    @AfterEach
    void removeTheQueue() {
        kernel().mqUnlink(afterSlash(name));
    }

    private int made(int messagesMax) {
        attributes.putLong(MessageQueueAttributes.MAXMSG_OFFSET, messagesMax);
        attributes.putLong(MessageQueueAttributes.MSGSIZE_OFFSET, MESSAGE_BYTES);
        return kernel().mqOpen(afterSlash(name), MAKE | FileFlags.O_EXCL, 0_600, address(attributes));
    }

    private int send(int fd, String message, int messagePriority) {
        return kernel().mqTimedsend(fd, address(memory(message)), message.length(), messagePriority, 0);
    }

    private int receive(int fd) {
        return kernel().mqTimedreceive(fd, address(into), MESSAGE_BYTES, address(priority), 0);
    }

    @Test
    void messagesComeByPriorityAndThenByAge() {
        int fd = opened(made(MESSAGES_MAX));
        assertErrno(Errno.EAGAIN, receive(fd));
        good(send(fd, "low", 1));
        good(send(fd, "high", 32_767));
        good(send(fd, "low too", 1));
        assertErrno(Errno.EAGAIN, send(fd, "full", 1));

        assertEquals(4, receive(fd));
        assertEquals("high", text(into, 4));
        assertEquals(32_767, priority.getInt(0));
        assertEquals(3, receive(fd));
        assertEquals("low", text(into, 3));
        assertEquals(1, priority.getInt(0));
        assertEquals(7, kernel().mqTimedreceive(fd, address(into), MESSAGE_BYTES, 0, 0));
        assertErrno(Errno.EAGAIN, receive(fd));
    }

    @Test
    void attributesTellWhatTheQueueHolds() {
        int fd = opened(made(MESSAGES_MAX));
        good(send(fd, "one", 0));
        ByteBuffer present = memory(MessageQueueAttributes.SIZE_BYTES);
        good(kernel().mqGetsetattr(fd, 0, address(present)));
        assertEquals(FileFlags.O_NONBLOCK, present.getLong(MessageQueueAttributes.FLAGS_OFFSET));
        assertEquals(MESSAGES_MAX, present.getLong(MessageQueueAttributes.MAXMSG_OFFSET));
        assertEquals(MESSAGE_BYTES, present.getLong(MessageQueueAttributes.MSGSIZE_OFFSET));
        assertEquals(1, present.getLong(MessageQueueAttributes.CURMSGS_OFFSET));
    }

    @Test
    void queueIsFoundByItsNameUntilItIsRemoved() {
        int fd = opened(made(MESSAGES_MAX));
        assertErrno(Errno.EEXIST, made(MESSAGES_MAX));
        int other = opened(kernel().mqOpen(afterSlash(name), FileFlags.O_WRONLY | FileFlags.O_NONBLOCK, 0, 0));
        good(send(other, "hi", 0));
        assertErrno(Errno.EBADF, receive(other));
        assertEquals(2, receive(fd));
        good(kernel().mqUnlink(afterSlash(name)));
        assertErrno(Errno.ENOENT, kernel().mqUnlink(afterSlash(name)));
        assertErrno(Errno.ENOENT, kernel().mqOpen(afterSlash(name), FileFlags.O_RDWR, 0, 0));
    }

    @Test
    void nonsenseIsRefused() {
        assertErrno(Errno.EINVAL, made(0));
        int fd = opened(made(MESSAGES_MAX));
        assertErrno(Errno.EMSGSIZE, send(fd, "longer than its messages are", 0));
        assertErrno(Errno.EINVAL, send(fd, "x", 32_768));
        assertErrno(Errno.EMSGSIZE, kernel().mqTimedreceive(fd, address(into), MESSAGE_BYTES - 1, 0, 0));
        assertErrno(Errno.EBADF, kernel().mqTimedreceive(-1, address(into), MESSAGE_BYTES, 0, 0));
        assertErrno(Errno.EBADF, kernel().mqGetsetattr(-1, 0, address(attributes)));
        assertErrno(Errno.EFAULT, kernel().mqUnlink(1));
        assertErrno(Errno.EACCES, kernel().mqOpen(afterSlash(queueName("with/slash")), FileFlags.O_RDWR, 0, 0));
    }
}
