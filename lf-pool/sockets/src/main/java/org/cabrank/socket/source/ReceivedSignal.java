package org.cabrank.socket.source;

/**
 * A signal and its origin (signalfd(2), sigaction(2)).
 *
 * @param number number of the signal, as in signal(7)
 * @param code origin of the signal: 0 for kill(2), -1 for sigqueue(3), positive for the kernel
 * @param senderPid process id of the sender, or of the child (SIGCHLD); 0 for the kernel, or for a process of an invisible pid namespace
 * @param senderUid real user id of the process {@code senderPid}
 * @param status exit status of a child, or the signal that ended the child. Only for SIGCHLD
 * @param value number passed to sigqueue(3). Only if {@code code} is -1
 */
public record ReceivedSignal(int number, int code, int senderPid, int senderUid, int status, int value) {}
