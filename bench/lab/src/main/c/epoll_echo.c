/*
 * The limit for servers over epoll: one thread, one loop, nothing between it and the kernel. It reads what has come into one
 * buffer and writes it back at once; only what a peer does not take is kept, and then that connection is not read until it
 * has taken it: so the order is kept, and memory is bounded.
 */
#include "server.h"
#include <sys/epoll.h>

#define EVENTS_MAX 512
#define BUFFER_BYTES (64 << 10)
#define ACCEPTS_MAX 64
#define READS_MAX 16 /* of one connection, before the others have their turn */
#define CONNECTION_EVENTS (EPOLLIN | EPOLLRDHUP | EPOLLET)

/* What is still to be sent to a peer that reads more slowly than it writes; by descriptor, NULL for the others. */
struct rest {
    size_t sent;
    size_t bytes;
    char data[];
};

static int epoll_fd;
static int listen_fd;
static int accepting;
static struct rest **rests;
static size_t rests_room;
static char buffer[BUFFER_BYTES];

static int watch(int operation, int fd, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    return epoll_ctl(epoll_fd, operation, fd, &event);
}

static void accept_again(void) {
    if (!accepting && watch(EPOLL_CTL_MOD, listen_fd, EPOLLIN) == 0) {
        accepting = 1;
    }
}

static void end(int fd) {
    free(rests[fd]);
    rests[fd] = NULL;
    close(fd);
    accept_again();
}

static int has_place(int fd) {
    if ((size_t)fd < rests_room) {
        return 1;
    }
    size_t room = rests_room ? rests_room : 1024;
    while (room <= (size_t)fd) {
        room *= 2;
    }
    struct rest **larger = realloc(rests, room * sizeof *rests);
    if (!larger) {
        return 0;
    }
    memset(larger + rests_room, 0, (room - rests_room) * sizeof *rests);
    rests = larger;
    rests_room = room;
    return 1;
}

static void admit(void) {
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        int fd = accept4(listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && is_shortage(errno)) {
            fprintf(stderr, "accepting pauses: %s\n", strerror(errno));
            watch(EPOLL_CTL_MOD, listen_fd, 0);
            accepting = 0;
            return;
        }
        if (fd < 0 && errno == EAGAIN) {
            return;
        }
        if (fd < 0) {
            continue; /* the connection is gone before it was accepted */
        }
        if (!has_place(fd) || watch(EPOLL_CTL_ADD, fd, CONNECTION_EVENTS) < 0) {
            fprintf(stderr, "a connection could not be served: %s\n", strerror(errno));
            close(fd);
        }
    }
}

/* How much of it the socket took; -1 when the connection is over. */
static ssize_t send_some(int fd, const char *data, size_t bytes) {
    size_t sent = 0;
    while (sent < bytes) {
        ssize_t count = send(fd, data + sent, bytes - sent, MSG_NOSIGNAL);
        if (count >= 0) {
            sent += count;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            return -1;
        }
    }
    return sent;
}

/* Keeps what the socket did not take. 0: there is no memory for it. */
static int keep(int fd, const char *data, size_t bytes) {
    struct rest *rest = malloc(sizeof *rest + bytes);
    if (!rest) {
        return 0;
    }
    rest->sent = 0;
    rest->bytes = bytes;
    memcpy(rest->data, data, bytes);
    rests[fd] = rest;
    return 1;
}

/* Whether nothing is left to be sent, and the connection goes on. */
static int send_rest(int fd) {
    struct rest *rest = rests[fd];
    ssize_t sent = send_some(fd, rest->data + rest->sent, rest->bytes - rest->sent);
    if (sent < 0) {
        end(fd);
        return 0;
    }
    rest->sent += sent;
    if (rest->sent < rest->bytes) {
        return 0;
    }
    free(rest);
    rests[fd] = NULL;
    return 1;
}

/* Whether all of it was sent. */
static int answer(int fd, ssize_t count) {
    if (draws_slow()) {
        block();
    }
    ssize_t sent = send_some(fd, buffer, count);
    if (sent == count) {
        return 1;
    }
    if (sent < 0 || !keep(fd, buffer + sent, count - sent) ||
        watch(EPOLL_CTL_MOD, fd, CONNECTION_EVENTS | EPOLLOUT) < 0) {
        end(fd);
    }
    return 0; /* an edge follows when the socket takes more */
}

/* A socket that gives less than there was room for has no more (epoll(7)): a call saved, but not at the end of the input. */
static void serve(int fd, int input_ended) {
    if (rests[fd] && !send_rest(fd)) {
        return;
    }
    for (int reads = 0; reads < READS_MAX; reads++) {
        ssize_t count = recv(fd, buffer, BUFFER_BYTES, 0);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 && errno == EAGAIN) {
            return;
        }
        if (count <= 0) {
            end(fd); /* all that came before was sent back, else this would not have been read */
            return;
        }
        if (!answer(fd, count) || (count < BUFFER_BYTES && !input_ended)) {
            return;
        }
    }
    if (watch(EPOLL_CTL_MOD, fd, CONNECTION_EVENTS) < 0) { /* a new edge, behind those of the others */
        end(fd);
    }
}

static void handle(const struct epoll_event *event) {
    int fd = event->data.fd;
    if (fd == listen_fd) {
        admit();
    } else if (fd == STDIN_FILENO) {
        end_with_input();
    } else {
        serve(fd, (event->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
    }
}

int main(int count, char **arguments) {
    static struct epoll_event events[EVENTS_MAX];
    read_settings(count, arguments);
    raise_descriptors();
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (epoll_fd < 0) {
        fail("epoll_create1", errno);
    }
    listen_fd = listen_on_any_port(SOCK_NONBLOCK);
    if (watch(EPOLL_CTL_ADD, listen_fd, EPOLLIN) < 0) {
        fail("epoll_ctl", errno);
    }
    accepting = 1;
    if (input_is_watched() && watch(EPOLL_CTL_ADD, STDIN_FILENO, EPOLLIN) < 0) {
        fail("epoll_ctl of standard input", errno);
    }
    say_listening(listen_fd, "epoll, edge-triggered, 1 thread");
    for (;;) {
        int ready = epoll_wait(epoll_fd, events, EVENTS_MAX, accepting ? -1 : RETRY_MS);
        if (ready < 0 && errno != EINTR) {
            fail("epoll_wait", errno);
        }
        for (int i = 0; i < ready; i++) {
            handle(&events[i]);
        }
        if (!accepting && ready == 0) {
            accept_again();
        }
    }
}
