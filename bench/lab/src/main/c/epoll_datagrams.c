/*
 * The limit for servers of datagrams: one thread, one socket, nothing between it and the kernel. One system call receives as
 * many datagrams as have come, up to a batch, and one sends them back from the memory in which they were received. With segments=1
 * the kernel joins datagrams of one flow (UDP_GRO), and cuts them again when they are sent (UDP_SEGMENT).
 */
#include "server.h"
#include <netinet/udp.h>
#include <sys/epoll.h>

#ifndef UDP_SEGMENT /* an old C library */
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

#define BATCH 64
#define DATAGRAM_BYTES 2048
#define JOINED_BYTES 65536
#define RECEIVE_BUFFER_BYTES 212992
#define BATCHES_MAX 16 /* before standard input has its turn */

static int socket_fd;
static struct mmsghdr messages[BATCH];
static struct iovec vectors[BATCH];
static struct sockaddr_in peers[BATCH];
static union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} controls[BATCH];
static char *datagrams;
static size_t datagram_bytes;

static void prepare(void) {
    datagram_bytes = settings.segments ? JOINED_BYTES : DATAGRAM_BYTES;
    datagrams = malloc(BATCH * datagram_bytes);
    if (!datagrams) {
        fail("malloc", ENOMEM);
    }
    for (int i = 0; i < BATCH; i++) {
        vectors[i] = (struct iovec){.iov_base = datagrams + i * datagram_bytes};
        messages[i].msg_hdr = (struct msghdr){.msg_name = &peers[i], .msg_iov = &vectors[i], .msg_iovlen = 1};
    }
}

/* A free port of loopback, or of the address that the bench names. */
static int open_socket(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        fail("socket", errno);
    }
    int bytes = RECEIVE_BUFFER_BYTES;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes) < 0) {
        fail("setsockopt SO_RCVBUF", errno);
    }
    int on = 1;
    if (settings.segments && setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof on) < 0) {
        printf("unavailable the kernel does not join datagrams (UDP_GRO, Linux 5.0): %s\n", strerror(errno));
        exit(1);
    }
    bind_any_port(fd);
    return fd;
}

static void work(int count) {
    for (int i = 0; i < count; i++) {
        if (draws_slow()) {
            block();
        }
    }
}

/* A datagram for which there is no room is lost, and with it the rest of the batch; one that is refused is lost alone. */
static void send_back(int count) {
    for (int at = 0; at < count;) {
        int sent = sendmmsg(socket_fd, messages + at, count - at, MSG_NOSIGNAL);
        if (sent > 0) {
            at += sent;
        } else if (errno == EAGAIN || is_shortage(errno)) {
            return;
        } else if (errno != EINTR) {
            at++;
        }
    }
}

/* Datagrams that came joined are cut again in the same places. */
static void cut_again(int at) {
    struct msghdr *message = &messages[at].msg_hdr;
    struct cmsghdr *control = CMSG_FIRSTHDR(message);
    if (!control || control->cmsg_level != IPPROTO_UDP || control->cmsg_type != UDP_GRO) {
        message->msg_controllen = 0;
        return;
    }
    int segment;
    memcpy(&segment, CMSG_DATA(control), sizeof segment);
    uint16_t bytes = (uint16_t)segment;
    control->cmsg_type = UDP_SEGMENT;
    control->cmsg_len = CMSG_LEN(sizeof bytes);
    memcpy(CMSG_DATA(control), &bytes, sizeof bytes);
    message->msg_controllen = CMSG_SPACE(sizeof bytes);
}

/* How many datagrams have come. */
static int receive(void) {
    for (int i = 0; i < BATCH; i++) {
        messages[i].msg_hdr.msg_namelen = sizeof peers[i];
        messages[i].msg_hdr.msg_control = settings.segments ? &controls[i] : NULL;
        messages[i].msg_hdr.msg_controllen = settings.segments ? sizeof controls[i] : 0;
        vectors[i].iov_len = datagram_bytes;
    }
    int count = recvmmsg(socket_fd, messages, BATCH, 0, NULL);
    if (count < 0) {
        if (errno != EAGAIN && errno != EINTR && !is_shortage(errno)) {
            fail("recvmmsg", errno);
        }
        return 0;
    }
    for (int i = 0; i < count; i++) {
        vectors[i].iov_len = messages[i].msg_len;
        if (settings.segments) {
            cut_again(i);
        }
    }
    return count;
}

/* A batch that is not full was the last one, as far as is known: level-triggered epoll tells of those that came since. */
static void serve(void) {
    for (int batches = 0; batches < BATCHES_MAX; batches++) {
        int count = receive();
        work(count);
        send_back(count);
        if (count < BATCH) {
            return;
        }
    }
}

static void watch(int epoll_fd, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0) {
        fail("epoll_ctl", errno);
    }
}

int main(int count, char **arguments) {
    struct epoll_event events[2];
    read_settings(count, arguments);
    prepare();
    int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (epoll_fd < 0) {
        fail("epoll_create1", errno);
    }
    socket_fd = open_socket();
    watch(epoll_fd, socket_fd);
    if (input_is_watched()) {
        watch(epoll_fd, STDIN_FILENO);
    }
    say_listening(
        socket_fd, settings.segments ? "epoll, recvmmsg and sendmmsg, UDP_GRO and UDP_SEGMENT, 1 thread"
                                     : "epoll, recvmmsg and sendmmsg, 1 thread");
    for (;;) {
        int ready = epoll_wait(epoll_fd, events, 2, -1);
        if (ready < 0 && errno != EINTR) {
            fail("epoll_wait", errno);
        }
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd == socket_fd) {
                serve();
            } else {
                end_with_input();
            }
        }
    }
}
