package org.cabrank.socket.source;

/**
 * A signal and where it came from (signalfd(2), sigaction(2)).
 *
 * @param number which signal, as in signal(7)
 * @param code how it was sent: 0 by kill(2), -1 by sigqueue(3), positive by the kernel
 * @param senderPid the process that sent it, or the child that a SIGCHLD is about; 0: the kernel, or a process of a pid
 *     namespace that cannot be seen
 * @param senderUid the real user id of that process
 * @param status the exit status of a child, or the signal that ended it; for a SIGCHLD only
 * @param value the number that sigqueue(3) sent; with code -1 only
 */
public record ReceivedSignal(int number, int code, int senderPid, int senderUid, int status, int value) {}
