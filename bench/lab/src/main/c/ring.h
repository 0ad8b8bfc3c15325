/* The ring that only this program submits to, by raw system calls, and the buffers that the kernel fills through it. */
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifndef IORING_SETUP_DEFER_TASKRUN
#error "linux/io_uring.h is older than Linux 6.1: apt-get install a newer linux-libc-dev"
#endif

#define SUBMISSIONS 1024
#define COMPLETIONS 16384
#define BUFFERS 4096
#define BUFFER_BYTES (8 << 10)
#define STRIDE_BYTES (BUFFER_BYTES + 64) /* so that not all of them begin in the same lines of the caches */
#define BUFFER_GROUP 0

static int ring_fd;
static unsigned enter_flags = IORING_ENTER_GETEVENTS;

/* The rings that are shared with the kernel. */
static unsigned *submission_head, *submission_tail, *completion_head, *completion_tail;
static unsigned submission_mask, completion_mask;
static struct io_uring_sqe *submissions;
static struct io_uring_cqe *completions;
static unsigned tail;      /* of the submissions, including those that the kernel has not been shown */
static unsigned submitted; /* how many it has taken */

static struct io_uring_buf_ring *buffer_ring;
static unsigned short buffer_tail;
static char *memory;
static int buffers_out; /* with data that is still to be sent */
static int buffers_returned;

/* ---- the ring ---- */

static int enter(unsigned to_submit, unsigned to_await) {
    return (int)syscall(SYS_io_uring_enter, ring_fd, to_submit, to_await, enter_flags, NULL, 0);
}

static void submit_and_await(unsigned to_await) {
    __atomic_store_n(submission_tail, tail, __ATOMIC_RELEASE);
    int taken = enter(tail - submitted, to_await);
    if (taken >= 0) {
        submitted += taken;
    } else if (errno != EINTR && errno != EAGAIN && errno != EBUSY) {
        fail("io_uring_enter", errno);
    }
}

static struct io_uring_sqe *submission(int operation, int fd, unsigned char code) {
    while (tail - __atomic_load_n(submission_head, __ATOMIC_ACQUIRE) > submission_mask) {
        submit_and_await(0);
    }
    struct io_uring_sqe *entry = &submissions[tail & submission_mask];
    tail++;
    memset(entry, 0, sizeof *entry);
    entry->opcode = code;
    entry->fd = fd;
    entry->user_data = (uint64_t)operation << 32 | (unsigned)fd;
    return entry;
}

static void *map(size_t bytes, off_t offset) {
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring_fd, offset);
    if (shared == MAP_FAILED) {
        fail("mmap of the ring", errno);
    }
    return shared;
}

/* The bench takes this line for "cannot run on this machine", and goes on without. */
static _Noreturn void unavailable(const char *why, int error) {
    printf("unavailable %s: %s\n", why, strerror(error));
    exit(1);
}

static const char *make_ring(void) {
    const unsigned always = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER;
    struct io_uring_params wanted = {.flags = always | IORING_SETUP_DEFER_TASKRUN, .cq_entries = COMPLETIONS};
    const char *mode = "single issuer, deferred task running";
    ring_fd = (int)syscall(SYS_io_uring_setup, SUBMISSIONS, &wanted);
    if (ring_fd < 0 && errno == EINVAL) {
        wanted = (struct io_uring_params){.flags = always | IORING_SETUP_COOP_TASKRUN, .cq_entries = COMPLETIONS};
        mode = "single issuer, cooperative task running (deferred needs Linux 6.1)";
        ring_fd = (int)syscall(SYS_io_uring_setup, SUBMISSIONS, &wanted);
    }
    if (ring_fd < 0) {
        unavailable(errno == EINVAL ? "io_uring needs Linux 6.0 for this server" : "no io_uring here", errno);
    }
    size_t entries = wanted.sq_off.array + wanted.sq_entries * sizeof(unsigned);
    size_t results = wanted.cq_off.cqes + wanted.cq_entries * sizeof(struct io_uring_cqe);
    char *rings = map(entries > results ? entries : results, IORING_OFF_SQ_RING);
    submissions = map(wanted.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
    submission_head = (unsigned *)(rings + wanted.sq_off.head);
    submission_tail = (unsigned *)(rings + wanted.sq_off.tail);
    submission_mask = *(unsigned *)(rings + wanted.sq_off.ring_mask);
    completion_head = (unsigned *)(rings + wanted.cq_off.head);
    completion_tail = (unsigned *)(rings + wanted.cq_off.tail);
    completion_mask = *(unsigned *)(rings + wanted.cq_off.ring_mask);
    completions = (struct io_uring_cqe *)(rings + wanted.cq_off.cqes);
    unsigned *places = (unsigned *)(rings + wanted.sq_off.array);
    for (unsigned i = 0; i < wanted.sq_entries; i++) {
        places[i] = i;
    }
    return mode;
}

/* Spares the kernel to look the descriptor up at each call. */
static const char *register_ring(void) {
    struct io_uring_rsrc_update update = {.offset = -1U, .data = (unsigned)ring_fd};
    if (syscall(SYS_io_uring_register, ring_fd, IORING_REGISTER_RING_FDS, &update, 1) != 1) {
        return "ring not registered";
    }
    ring_fd = (int)update.offset;
    enter_flags |= IORING_ENTER_REGISTERED_RING;
    return "registered ring";
}

/* ---- buffers ---- */

static void give_back(int number) {
    struct io_uring_buf *place = &buffer_ring->bufs[buffer_tail & (BUFFERS - 1)];
    place->addr = (uintptr_t)(memory + (size_t)number * STRIDE_BYTES);
    place->len = BUFFER_BYTES;
    place->bid = (unsigned short)number;
    buffer_tail++;
    buffers_out--;
    buffers_returned = 1;
}

static void show_buffers(void) {
    __atomic_store_n(&buffer_ring->tail, buffer_tail, __ATOMIC_RELEASE);
}

static void *pages(size_t bytes) {
    void *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) {
        fail("mmap of buffers", errno);
    }
    return fresh;
}

static void make_buffers(void) {
    buffer_ring = pages(BUFFERS * sizeof(struct io_uring_buf));
    memory = pages((size_t)BUFFERS * STRIDE_BYTES);
    madvise(memory, (size_t)BUFFERS * STRIDE_BYTES, MADV_HUGEPAGE); /* where there are any */
    struct io_uring_buf_reg ring = {.ring_addr = (uintptr_t)buffer_ring, .ring_entries = BUFFERS, .bgid = BUFFER_GROUP};
    if (syscall(SYS_io_uring_register, ring_fd, IORING_REGISTER_PBUF_RING, &ring, 1) < 0) {
        unavailable("no ring of provided buffers", errno);
    }
    for (int number = 0; number < BUFFERS; number++) {
        give_back(number);
    }
    buffers_out = 0;
    show_buffers();
}
