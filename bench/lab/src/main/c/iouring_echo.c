/*
 * The limit for servers over io_uring: one thread, one ring that only it submits to, and one system call for all that a
 * round of completions leads to. Accepting and receiving are submitted once per connection (multishot); what comes is put
 * into buffers of a ring that all connections share, and sent from there: nothing is copied.
 *
 * A connection's buffers form a queue; one send of it is under way at a time, of all that had come when it was submitted:
 * so the order is kept. A connection whose peer does not read stops receiving when it holds HELD_MAX buffers.
 */
#include "server.h"
#include "ring.h"
#include <poll.h>
#include <sys/uio.h>

#define HELD_MAX 32
#define PARTS_MAX 16
#define NOBODY (-1)

enum operation { ACCEPT, RECEIVE, SEND, STOP_RECEIVING, CLOSE, INPUT, PAUSE };

/* By descriptor. It is closed when none of its operations is under way: so no completion meets the one after it. */
struct connection {
    int operations;
    short receiving; /* a multishot receive is under way */
    short stopping;  /* and its cancellation too */
    short sending;
    short input_ended;
    short broken;
    short waiting; /* for buffers */
    int held;      /* buffers in the queue */
    int first;     /* its ends: numbers of buffers */
    int last;
    unsigned sent; /* bytes of the first one */
    int next_waiting;
};

static int listen_fd;

/* Messages of several parts, by their submission's place: the kernel has copied them when it has taken the submission. */
static struct iovec parts[SUBMISSIONS][PARTS_MAX];
static struct msghdr messages[SUBMISSIONS];

/* The queues of buffers: what follows one, and how much it holds. */
static int next_buffer[BUFFERS];
static unsigned buffer_bytes[BUFFERS];

static struct connection *connections;
static int connections_room;
static int first_waiting = NOBODY; /* for buffers: a stack */
static int accepting;

/* ---- connections ---- */

static void receive(int fd) {
    struct connection *own = &connections[fd];
    if (own->receiving || own->input_ended || own->broken || own->waiting) {
        return;
    }
    struct io_uring_sqe *entry = submission(RECEIVE, fd, IORING_OP_RECV);
    entry->ioprio = IORING_RECV_MULTISHOT;
    entry->flags = IOSQE_BUFFER_SELECT;
    entry->buf_group = BUFFER_GROUP;
    own->receiving = 1;
    own->operations++;
}

static void stop_receiving(int fd) {
    struct connection *own = &connections[fd];
    if (own->receiving && !own->stopping) {
        struct io_uring_sqe *entry = submission(STOP_RECEIVING, fd, IORING_OP_ASYNC_CANCEL);
        entry->fd = -1;
        entry->addr = (uint64_t)RECEIVE << 32 | (unsigned)fd;
        own->stopping = 1;
        own->operations++;
    }
}

/* All that has come, as far as one message holds it. */
static void send_queue(int fd) {
    struct connection *own = &connections[fd];
    int number = own->first;
    char *data = memory + (size_t)number * STRIDE_BYTES + own->sent;
    unsigned bytes = buffer_bytes[number] - own->sent;
    struct io_uring_sqe *entry = submission(SEND, fd, own->held == 1 ? IORING_OP_SEND : IORING_OP_SENDMSG);
    entry->msg_flags = MSG_NOSIGNAL | MSG_WAITALL;
    own->sending = 1;
    own->operations++;
    if (own->held == 1) {
        entry->addr = (uintptr_t)data;
        entry->len = bytes;
        return;
    }
    unsigned place = (unsigned)(entry - submissions);
    int count = 0;
    parts[place][count++] = (struct iovec){data, bytes};
    while (count < own->held && count < PARTS_MAX) {
        number = next_buffer[number];
        parts[place][count++] = (struct iovec){memory + (size_t)number * STRIDE_BYTES, buffer_bytes[number]};
    }
    messages[place] = (struct msghdr){.msg_iov = parts[place], .msg_iovlen = count};
    entry->addr = (uintptr_t)&messages[place];
    entry->len = 1;
}

static void drop_first(struct connection *own) {
    int number = own->first;
    own->first = next_buffer[number];
    own->sent = 0;
    own->held--;
    give_back(number);
}

static void enqueue(struct connection *own, int number, unsigned bytes) {
    buffer_bytes[number] = bytes;
    if (own->held++) {
        next_buffer[own->last] = number;
    } else {
        own->first = number;
    }
    own->last = number;
}

static void accept_connections(void) {
    if (!accepting) {
        struct io_uring_sqe *entry = submission(ACCEPT, listen_fd, IORING_OP_ACCEPT);
        entry->ioprio = IORING_ACCEPT_MULTISHOT;
        entry->accept_flags = SOCK_CLOEXEC; /* io_uring does not wait for sockets that are not to be waited for */
        accepting = 1;
    }
}

/* What follows when something of a connection is done. */
static void go_on(int fd) {
    struct connection *own = &connections[fd];
    if (own->broken && !own->sending) {
        while (own->held) {
            drop_first(own);
        }
    }
    if (own->held) {
        if (!own->sending) {
            send_queue(fd);
        }
        if (own->held >= HELD_MAX) {
            stop_receiving(fd);
        }
    } else if (own->input_ended || own->broken) {
        if (own->operations == 0 && !own->waiting) {
            submission(CLOSE, fd, IORING_OP_CLOSE)->flags = IOSQE_CQE_SKIP_SUCCESS;
        }
    } else {
        receive(fd);
    }
}

/* The other operations end too: they would wait for a peer that is gone. */
static void break_off(int fd) {
    if (!connections[fd].broken) {
        connections[fd].broken = 1;
        shutdown(fd, SHUT_RDWR);
    }
}

static void wait_for_buffers(int fd) {
    connections[fd].waiting = 1;
    connections[fd].next_waiting = first_waiting;
    first_waiting = fd;
    if (buffers_out < BUFFERS) {
        buffers_returned = 1; /* since it was refused: none may come back that would tell */
    }
}

/* After a round of completions, in which buffers came back. */
static void wake_waiting(void) {
    int fd = first_waiting;
    first_waiting = NOBODY;
    while (fd != NOBODY) {
        int next = connections[fd].next_waiting;
        connections[fd].waiting = 0;
        go_on(fd);
        fd = next;
    }
}

/* ---- completions ---- */

static int has_place(int fd) {
    if (fd < connections_room) {
        return 1;
    }
    int room = connections_room ? connections_room : 1024;
    while (room <= fd) {
        room *= 2;
    }
    struct connection *larger = realloc(connections, room * sizeof *connections);
    if (!larger) {
        return 0;
    }
    connections = larger;
    connections_room = room;
    return 1;
}

static void accepted(const struct io_uring_cqe *completion) {
    int fd = completion->res;
    accepting = (completion->flags & IORING_CQE_F_MORE) != 0;
    if (fd >= 0 && has_place(fd)) {
        connections[fd] = (struct connection){0};
        receive(fd);
    } else if (fd >= 0) {
        close(fd);
    }
    if (accepting) {
        return;
    }
    if (fd == -EINVAL || fd == -EBADF || fd == -ENOTSOCK) {
        fail("accept", -fd);
    }
    if (fd < 0 && is_shortage(-fd)) {
        static struct __kernel_timespec pause = {0, RETRY_MS * 1000000L};
        fprintf(stderr, "accepting pauses: %s\n", strerror(-fd));
        struct io_uring_sqe *entry = submission(PAUSE, -1, IORING_OP_TIMEOUT);
        entry->addr = (uintptr_t)&pause;
        entry->len = 1;
        return;
    }
    accept_connections();
}

static void perform_work(void) {
    if (draws_slow()) {
        submit_and_await(0); /* the answers that are ready do not wait for a slow one */
        block();
    }
}

static void received(int fd, const struct io_uring_cqe *completion) {
    struct connection *own = &connections[fd];
    if (!(completion->flags & IORING_CQE_F_MORE)) {
        own->receiving = 0;
        own->operations--;
    }
    int result = completion->res;
    if (completion->flags & IORING_CQE_F_BUFFER) {
        int number = (int)(completion->flags >> IORING_CQE_BUFFER_SHIFT);
        buffers_out++;
        if (result > 0 && !own->broken) {
            perform_work();
            enqueue(own, number, (unsigned)result);
        } else {
            give_back(number);
        }
    }
    if (result == 0) {
        own->input_ended = 1;
    } else if (result == -ENOBUFS) {
        wait_for_buffers(fd);
    } else if (result < 0 && result != -ECANCELED && result != -EINTR && result != -EAGAIN) {
        break_off(fd);
    }
    go_on(fd);
}

static void sent(int fd, int result) {
    struct connection *own = &connections[fd];
    own->sending = 0;
    own->operations--;
    if (result < 0 && result != -EINTR && result != -EAGAIN) {
        break_off(fd);
    }
    while (result > 0) {
        unsigned left = buffer_bytes[own->first] - own->sent;
        if ((unsigned)result < left) {
            own->sent += (unsigned)result;
            break;
        }
        result -= (int)left;
        drop_first(own);
    }
    go_on(fd);
}

static void watch_input(void) {
    submission(INPUT, STDIN_FILENO, IORING_OP_POLL_ADD)->poll32_events = POLLIN;
}

static void handle(const struct io_uring_cqe *completion) {
    int fd = (int)(unsigned)completion->user_data;
    switch ((enum operation)(completion->user_data >> 32)) {
    case ACCEPT:
        accepted(completion);
        break;
    case RECEIVE:
        received(fd, completion);
        break;
    case SEND:
        sent(fd, completion->res);
        break;
    case STOP_RECEIVING:
        connections[fd].stopping = 0;
        connections[fd].operations--;
        go_on(fd);
        break;
    case CLOSE:
        fprintf(stderr, "close: %s\n", strerror(-completion->res)); /* of a success nothing is told */
        break;
    case INPUT:
        end_with_input();
        watch_input();
        break;
    case PAUSE:
        accept_connections();
        break;
    }
}

static void handle_all(void) {
    unsigned head = *completion_head;
    unsigned end = __atomic_load_n(completion_tail, __ATOMIC_ACQUIRE);
    for (; head != end; head++) {
        struct io_uring_cqe completion = completions[head & completion_mask];
        __atomic_store_n(completion_head, head + 1, __ATOMIC_RELEASE);
        handle(&completion);
    }
    if (buffers_returned) {
        buffers_returned = 0;
        show_buffers();
        wake_waiting();
    }
}

int main(int count, char **arguments) {
    static char details[256];
    read_settings(count, arguments);
    raise_descriptors();
    const char *mode = make_ring();
    make_buffers();
    const char *registered = register_ring();
    listen_fd = listen_on_any_port(0);
    accept_connections();
    if (input_is_watched()) {
        watch_input();
    }
    snprintf(details, sizeof details, "io_uring, %s, %s, multishot accept and recv, %d buffers of %d B, 1 thread", mode,
             registered, BUFFERS, BUFFER_BYTES);
    say_listening(listen_fd, details);
    for (;;) {
        submit_and_await(1);
        handle_all();
    }
}
