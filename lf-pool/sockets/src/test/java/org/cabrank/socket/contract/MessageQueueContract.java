package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.source.MessageHandler;
import org.cabrank.socket.source.MessageQueue;
import org.cabrank.socket.source.MessageQueueSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** POSIX message queues: by priority, none lost, and every limit named. */
public abstract class MessageQueueContract extends SourceContract {
    private static final int MESSAGES_MAX = 5;
    private static final int MESSAGE_BYTES = 64;

    private final String name =
            "/cabrank-source-test-" + ProcessHandle.current().pid();

    private static class Collecting implements MessageHandler {
        final List<String> messages = new CopyOnWriteArrayList<>();
        final CompletableFuture<MessageQueue> closed = new CompletableFuture<>();
        volatile Throwable cause;

        @Override
        public void handleMessage(MessageQueueSource source, ByteBuffer message, int priority) throws Exception {
            messages.add(priority + ":" + text(message));
        }

        @Override
        public void handleClosed(MessageQueueSource source, Throwable why) {
            cause = why;
            closed.complete(source.queue());
        }
    }

    @BeforeEach
    void messageQueuesAreToBeHad() throws IOException {
        ByteBuffer none = direct(1);
        assumeTrue(kernel.mqUnlink(kernel.addressOf(none)) != -Errno.ENOSYS, "the kernel has no message queues");
        MessageQueue.unlink(kernel, name);
    }

    @AfterEach
    void unlink() throws IOException {
        if (kernel != null) {
            MessageQueue.unlink(kernel, name);
        }
    }

    private MessageQueue made() throws IOException {
        return MessageQueue.openOrMake(kernel, name, MESSAGES_MAX, MESSAGE_BYTES, 0_600);
    }

    @Test
    void messagesThatWaitedComeByPriorityAndThenByAge() throws Exception {
        MessageQueue queue = made();
        assertTrue(queue.send(bytes("low"), 0));
        assertTrue(queue.send(bytes("high"), MessageQueue.PRIORITY_MAX));
        assertTrue(queue.send(bytes("low too"), 0));
        assertTrue(queue.send(bytes(""), 7));
        assertEquals(4, queue.messages());
        Collecting collecting = new Collecting();
        MessageQueueSource.open(set, queue, collecting);
        serve();
        Await.until("all have come", () -> collecting.messages.size() == 4);
        assertEquals(List.of("32767:high", "7:", "0:low", "0:low too"), collecting.messages);
    }

    /** Far more than it holds, from another thread, through a second descriptor as another process has one. */
    @Test
    void noMessageIsLostHoweverManyThereAre() throws Exception {
        Collecting collecting = new Collecting();
        MessageQueueSource.open(set, made(), collecting);
        serve();
        try (MessageQueue sending = MessageQueue.open(kernel, name)) {
            for (int i = 0; i < 2_000; i++) {
                while (!sending.send(bytes("" + i), 1)) {
                    LockSupport.parkNanos(1_000); // full; the source makes room
                }
            }
        }
        Await.until("all have come", () -> collecting.messages.size() == 2_000);
        for (int i = 0; i < 2_000; i++) {
            assertEquals("1:" + i, collecting.messages.get(i));
        }
    }

    @Test
    void fullQueueRefusesAndCounts() throws Exception {
        try (MessageQueue queue = made()) {
            for (int i = 0; i < MESSAGES_MAX; i++) {
                ByteBuffer message = bytes("x");
                assertTrue(queue.send(message, 0));
                assertFalse(message.hasRemaining());
            }
            ByteBuffer message = bytes("one more");
            assertFalse(queue.send(message, 0));
            assertEquals(8, message.remaining());
            assertEquals(1, queue.refused());
            assertEquals(MESSAGES_MAX, queue.messages());
            assertEquals(MESSAGES_MAX, queue.messagesMax());
            assertEquals(MESSAGE_BYTES, queue.messageBytesMax());
        }
    }

    @Test
    void messagesWaitForTheNextSource() throws Exception {
        Collecting first = new Collecting();
        MessageQueueSource source = MessageQueueSource.open(set, made(), first);
        serve();
        source.close();
        first.closed.get();
        assertNull(first.cause);
        try (MessageQueue sending = MessageQueue.open(kernel, name)) {
            sending.send(bytes("kept"), 0);
        }
        Collecting second = new Collecting();
        MessageQueueSource.open(set, MessageQueue.open(kernel, name), second);
        Await.until("it has come", () -> second.messages.equals(List.of("0:kept")));
        assertEquals(List.of(), first.messages);
    }

    @Test
    void handlerThatThrowsLeavesTheOtherMessagesInTheQueue() throws Exception {
        MessageQueue queue = made();
        queue.send(bytes("bad"), 1);
        queue.send(bytes("good"), 0);
        IOException mistake = new IOException("a mistake");
        Collecting failing = new Collecting() {
            @Override
            public void handleMessage(MessageQueueSource source, ByteBuffer message, int priority) throws Exception {
                throw mistake;
            }
        };
        MessageQueueSource.open(set, queue, failing);
        serve();
        failing.closed.get();
        assertEquals(mistake, failing.cause);
        try (MessageQueue other = MessageQueue.open(kernel, name)) {
            assertEquals(1, other.messages());
        }
    }

    @Test
    void queueIsClosedWithItsSource() throws Exception {
        MessageQueue queue = made();
        Collecting collecting = new Collecting();
        MessageQueueSource source = MessageQueueSource.open(set, queue, collecting);
        assertThrows(IllegalStateException.class, () -> MessageQueueSource.open(set, queue, collecting));
        serve();
        queue.send(bytes("x"), 0);
        Await.until("it has come", () -> collecting.messages.size() == 1);
        queue.close();
        assertEquals(queue, collecting.closed.get());
        assertTrue(source.isClosed());
        assertTrue(assertThrows(IOException.class, () -> queue.send(bytes("x"), 0))
                .getMessage()
                .contains("closed"));
        assertThrows(IOException.class, queue::messages);
        assertThrows(IOException.class, () -> MessageQueueSource.open(set, queue, collecting));
        queue.close();
    }

    /** The set is closed, so that nobody can watch the queue. */
    @Test
    void queueWhoseSourceIsRefusedIsClosedAndMayBeClosedAgain() throws Exception {
        MessageQueue queue = made();
        set.close();
        assertThrows(IllegalStateException.class, () -> MessageQueueSource.open(set, queue, new Collecting()));
        assertThrows(IOException.class, queue::messages);
        queue.close();
    }

    @Test
    void limitsOfAMessageAreNamed() throws Exception {
        try (MessageQueue queue = made()) {
            IllegalArgumentException tooLong = assertThrows(
                    IllegalArgumentException.class, () -> queue.send(ByteBuffer.allocate(MESSAGE_BYTES + 1), 0));
            assertTrue(tooLong.getMessage().contains("at most 64"), tooLong::getMessage);
            assertThrows(IllegalArgumentException.class, () -> queue.send(bytes("x"), -1));
            assertThrows(IllegalArgumentException.class, () -> queue.send(bytes("x"), MessageQueue.PRIORITY_MAX + 1));
        }
    }

    private String refusal(int errno) {
        kernel.answer("mq_open", -errno);
        KernelException refused = assertThrows(KernelException.class, this::made);
        assertEquals(errno, refused.errno());
        return refused.getMessage();
    }

    @Test
    void refusalsNameTheRemedy() throws Exception {
        assertTrue(refusal(Errno.EINVAL).contains("fs.mqueue.msg_max"));
        assertTrue(refusal(Errno.EMFILE).contains("ulimit -q"));
        assertTrue(refusal(Errno.ENOSPC).contains("fs.mqueue.queues_max"));
        assertTrue(refusal(Errno.ENOSYS).contains("CONFIG_POSIX_MQUEUE"));
        assertTrue(refusal(Errno.EACCES).contains("read and write"));
        KernelException none = assertThrows(KernelException.class, () -> MessageQueue.open(kernel, name));
        assertEquals(Errno.ENOENT, none.errno());
        assertFalse(MessageQueue.unlink(kernel, name));
        // Really, not by script: no kernel makes a queue for no messages.
        KernelException empty =
                assertThrows(KernelException.class, () -> MessageQueue.openOrMake(kernel, name, 0, 1, 0_600));
        assertEquals(Errno.EINVAL, empty.errno());
    }

    @Test
    void namesBeginWithTheirOnlySlash() {
        for (String wrong : List.of("", "/", "name", "/with/slash", "//", "/zero\0")) {
            assertThrows(IllegalArgumentException.class, () -> MessageQueue.open(kernel, wrong), wrong);
            assertThrows(IllegalArgumentException.class, () -> MessageQueue.unlink(kernel, wrong), wrong);
        }
    }

    @Test
    void interruptedCallsAreRepeatedAndOthersClose() throws Exception {
        kernel.answer("mq_send", -Errno.EINTR);
        kernel.answer("mq_receive", -Errno.EINTR);
        Collecting collecting = new Collecting();
        MessageQueue queue = made();
        MessageQueueSource.open(set, queue, collecting);
        serve();
        assertTrue(queue.send(bytes("x"), 3));
        Await.until("it has come", () -> collecting.messages.equals(List.of("3:x")));
        // By a descriptor of its own: the source may still ask for more after "x", and be closed before this is sent.
        try (MessageQueue other = MessageQueue.open(kernel, name)) {
            kernel.answer("mq_receive", -Errno.EBADMSG);
            other.send(bytes("y"), 0);
        }
        collecting.closed.get();
        assertEquals(
                Errno.EBADMSG,
                assertInstanceOf(KernelException.class, collecting.cause).errno());
    }

    @Test
    void queueWhoseAttributesCannotBeReadIsClosedAgain() {
        kernel.answer("mq_getattr", -Errno.EINTR);
        assertThrows(KernelException.class, this::made);
    }

    @Test
    void queueThatFindsNoMemoryIsClosed() {
        kernel.noMemoryAfter(2); // its name and its limits have theirs
        assertThrows(OutOfMemoryError.class, () -> MessageQueue.openOrMake(kernel, name, 10, 100, 0_600));
    }
}
