/*
 * What both loops have in common: the settings, the listening socket, and slow handlers as those of the servers in
 * Java (SlowRequests).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND 1000000000L

struct settings {
    int backlog;
    unsigned slow_permille;
    uint64_t slow_ns;
    int segments;
};

static struct settings settings;
static uint64_t random_state;

static _Noreturn void fail(const char *what, int error) {
    fprintf(stderr, "%s: %s\n", what, strerror(error));
    exit(1);
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* ---- slow handlers ---- */

/* splitmix64 */
static uint64_t next_random(void) {
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int draws_slow(void) {
    return settings.slow_permille && next_random() % 1000 < settings.slow_permille;
}

static void block(void) {
    uint64_t end = now_ns() + settings.slow_ns;
    struct timespec until = {end / NS_PER_SECOND, end % NS_PER_SECOND};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
    }
}

/* ---- start ---- */

static uint64_t number(const char *name, const char *text) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (errno || end == text || *end) {
        fprintf(stderr, "%s%s is no number\n", name, text);
        exit(2);
    }
    return value;
}

static void read_settings(int count, char **arguments) {
    static const struct {
        const char *name;
        size_t length;
    } names[] = {{"backlog=", 8}, {"slow-permille=", 14}, {"slow-time-ns=", 13}, {"segments=", 9}};
    uint64_t values[] = {1024, 0, 0, 0};
    for (int i = 1; i < count; i++) {
        unsigned at = 0;
        while (at < 4 && strncmp(arguments[i], names[at].name, names[at].length)) {
            at++;
        }
        if (at == 4) {
            fprintf(stderr, "unknown argument %s\n", arguments[i]);
            exit(2);
        }
        values[at] = number(names[at].name, arguments[i] + names[at].length);
    }
    settings = (struct settings){(int)values[0], (unsigned)values[1], values[2], (int)values[3]};
    random_state = now_ns() ^ (uint64_t)getpid() << 32;
}

/* As many descriptors as may be had: each connection takes one. */
static inline void raise_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* A free port of loopback. */
static void bind_any_port(int fd) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        fail("bind", errno);
    }
}

/* Accepted sockets inherit TCP_NODELAY. */
static inline int listen_on_any_port(int type_flags) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | type_flags, 0);
    if (fd < 0) {
        fail("socket", errno);
    }
    int on = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0) {
        fail("setsockopt TCP_NODELAY", errno);
    }
    bind_any_port(fd);
    if (listen(fd, settings.backlog) < 0) {
        fail("listen", errno);
    }
    return fd;
}

/* From now on the bench connects. */
static void say_listening(int fd, const char *details) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) {
        fail("getsockname", errno);
    }
    char host[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &address.sin_addr, host, sizeof host);
    printf("listening on %s:%d %s, gcc " __VERSION__ "\n", host, ntohs(address.sin_port), details);
    fflush(stdout);
}

/* Whether the end of standard input can be seen, which is the end of the bench; a file's would come at once. */
static int input_is_watched(void) {
    struct stat input;
    return fstat(STDIN_FILENO, &input) == 0 && (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode));
}

/* Standard input has something: nothing is asked of this program, so only its end matters. */
static void end_with_input(void) {
    char ignored[256];
    ssize_t count = read(STDIN_FILENO, ignored, sizeof ignored);
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
        exit(0);
    }
}

/* Descriptors or memory are short: they may come back when a connection ends, or nobody tells when. */
static int is_shortage(int error) {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

#define RETRY_MS 100
