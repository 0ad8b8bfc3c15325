/* The functions that PanamaKernel calls. Their C types are the same on every ABI: scripts/generate-bindings checks it. */
#define _GNU_SOURCE 1 /* accept4, sched_setaffinity, gettid */
#include <features.h>

/*
 * For GNU C, sys/socket.h declares an address parameter as a transparent union, which jextract takes for a struct passed
 * by value. For any other compiler it declares the plain pointer that it is at run time: claim to be one.
 */
#undef __GNUC_PREREQ
#define __GNUC_PREREQ(major, minor) 0

/*
 * syscall is variadic, and of a variadic function jextract makes an invoker for each list of arguments, not an address
 * and a descriptor. On x86-64 and aarch64 Linux integers and pointers travel in the same registers whether they are
 * named or variadic, so it is declared below with as many as Downcalls has room for.
 */
#define syscall variadic_syscall

#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#undef syscall
extern long syscall(long number, long a, long b, long c, long d, long e);
