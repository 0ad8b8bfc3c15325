/* The functions that PanamaKernel calls. Their C types are the same on every ABI: scripts/generate-bindings checks it. */
#define _GNU_SOURCE 1 /* accept4, sched_setaffinity */
#include <features.h>

/*
 * For GNU C, sys/socket.h declares an address parameter as a transparent union, which jextract takes for a struct passed
 * by value. For any other compiler it declares the plain pointer that it is at run time: claim to be one.
 */
#undef __GNUC_PREREQ
#define __GNUC_PREREQ(major, minor) 0

/*
 * open and syscall are variadic, and of a variadic function jextract makes an invoker for each list of arguments, not an
 * address and a descriptor. On x86-64 and aarch64 Linux integers and pointers travel in the same registers whether they
 * are named or variadic, so the two are declared below with fixed parameters: the mode that O_CREAT wants, and as many as
 * registers hold.
 */
#define open variadic_open
#define syscall variadic_syscall

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#undef open
#undef syscall
extern int open(const char *path, int flags, mode_t mode);
extern long syscall(long number, long a, long b, long c, long d, long e);
