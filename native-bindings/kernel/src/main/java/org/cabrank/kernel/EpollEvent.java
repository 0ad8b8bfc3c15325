package org.cabrank.kernel;

/** Layout of {@code struct epoll_event}: packed on x86-64 only. */
public final class EpollEvent {
    private EpollEvent() {}
}
