package org.cabrank.kernel;

/** Error numbers of the kernel (errno(3)). They are positive, and equal on every supported {@link Abi}. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int E2BIG = 7;
    public static final int ENOEXEC = 8;
    public static final int EBADF = 9;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int ENOTBLK = 15;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ENOTTY = 25;
    public static final int ETXTBSY = 26;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int ESPIPE = 29;
    public static final int EROFS = 30;
    public static final int EMLINK = 31;
    public static final int EPIPE = 32;
    public static final int EDOM = 33;
    public static final int ERANGE = 34;
    public static final int EDEADLK = 35;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOLCK = 37;
    public static final int ENOSYS = 38;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int EBADR = 53;
    public static final int ENODATA = 61;
    public static final int ETIME = 62;
    public static final int ENOSR = 63;
    public static final int ENONET = 64;
    public static final int ENOLINK = 67;
    public static final int EPROTO = 71;
    public static final int EBADMSG = 74;
    public static final int EOVERFLOW = 75;
    public static final int EBADFD = 77;
    public static final int EUSERS = 87;
    public static final int ENOTSOCK = 88;
    public static final int EDESTADDRREQ = 89;
    public static final int EMSGSIZE = 90;
    public static final int EPROTOTYPE = 91;
    public static final int ENOPROTOOPT = 92;
    public static final int EPROTONOSUPPORT = 93;
    public static final int ESOCKTNOSUPPORT = 94;
    public static final int EOPNOTSUPP = 95;
    public static final int EPFNOSUPPORT = 96;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETDOWN = 100;
    public static final int ENETUNREACH = 101;
    public static final int ENETRESET = 102;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int EISCONN = 106;
    public static final int ENOTCONN = 107;
    public static final int ESHUTDOWN = 108;
    public static final int ETOOMANYREFS = 109;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTDOWN = 112;
    public static final int EHOSTUNREACH = 113;
    public static final int EALREADY = 114;
    public static final int EINPROGRESS = 115;
    public static final int ESTALE = 116;
    public static final int EDQUOT = 122;
    public static final int ECANCELED = 125;
    public static final int EOWNERDEAD = 130;
    public static final int ENOTRECOVERABLE = 131;

    /** The largest error number. A result from -4095 to -1 is an error. Any other result is a value. */
    public static final int MAX_ERRNO = 4095;

    private static final Known[] KNOWN = known();

    private Errno() {}

    /** The name of the number in errno(3), such as {@code EAGAIN}. For an unknown number, text such as {@code errno 4242}. */
    public static String name(int errno) {
        Known known = lookUp(errno);
        return known == null ? "errno " + errno : known.name;
    }

    /** The name and the meaning of the number, for a message to a user. Example: {@code EADDRINUSE (address already in use)}. */
    public static String describe(int errno) {
        Known known = lookUp(errno);
        return known == null ? "errno " + errno : known.name + " (" + known.words + ")";
    }

    /**
     * Creates the exception for a failed call, for callers off the hot path.
     *
     * @param call name of the failed call for the message, perhaps with arguments
     * @param negativeResult result of the call: {@code -errno}
     * @throws IllegalArgumentException if the result is not a failure
     */
    public static KernelException exception(String call, int negativeResult) {
        return new KernelException(call, negativeResult);
    }

    /** Returns {@code result} if it is 0 or more. Throws a {@link KernelException} if it is {@code -errno}. */
    public static int check(String call, int result) throws KernelException {
        if (result < 0) {
            throw exception(call, result);
        }
        return result;
    }

    private static Known lookUp(int errno) {
        return errno > 0 && errno < KNOWN.length ? KNOWN[errno] : null;
    }

    private static Known[] known() {
        Known[] known = new Known[ENOTRECOVERABLE + 1];
        known[EPERM] = new Known("EPERM", "operation not permitted");
        known[ENOENT] = new Known("ENOENT", "no such file or directory");
        known[ESRCH] = new Known("ESRCH", "no such process");
        known[EINTR] = new Known("EINTR", "interrupted by a signal");
        known[EIO] = new Known("EIO", "input/output error");
        known[ENXIO] = new Known("ENXIO", "no such device or address");
        known[E2BIG] = new Known("E2BIG", "argument list too long");
        known[ENOEXEC] = new Known("ENOEXEC", "exec format error");
        known[EBADF] = new Known("EBADF", "bad file descriptor");
        known[ECHILD] = new Known("ECHILD", "no child processes");
        known[EAGAIN] = new Known("EAGAIN", "try again, it would block");
        known[ENOMEM] = new Known("ENOMEM", "cannot allocate memory");
        known[EACCES] = new Known("EACCES", "permission denied");
        known[EFAULT] = new Known("EFAULT", "bad address");
        known[ENOTBLK] = new Known("ENOTBLK", "block device required");
        known[EBUSY] = new Known("EBUSY", "device or resource busy");
        known[EEXIST] = new Known("EEXIST", "file exists");
        known[EXDEV] = new Known("EXDEV", "invalid cross-device link");
        known[ENODEV] = new Known("ENODEV", "no such device");
        known[ENOTDIR] = new Known("ENOTDIR", "not a directory");
        known[EISDIR] = new Known("EISDIR", "is a directory");
        known[EINVAL] = new Known("EINVAL", "invalid argument");
        known[ENFILE] = new Known("ENFILE", "the system has too many open files");
        known[EMFILE] = new Known("EMFILE", "this process has too many open descriptors");
        known[ENOTTY] = new Known("ENOTTY", "inappropriate ioctl for device");
        known[ETXTBSY] = new Known("ETXTBSY", "text file busy");
        known[EFBIG] = new Known("EFBIG", "file too large");
        known[ENOSPC] = new Known("ENOSPC", "no space left on device");
        known[ESPIPE] = new Known("ESPIPE", "illegal seek");
        known[EROFS] = new Known("EROFS", "read-only file system");
        known[EMLINK] = new Known("EMLINK", "too many links");
        known[EPIPE] = new Known("EPIPE", "the peer no longer reads");
        known[EDOM] = new Known("EDOM", "numerical argument out of domain");
        known[ERANGE] = new Known("ERANGE", "numerical result out of range");
        known[EDEADLK] = new Known("EDEADLK", "resource deadlock avoided");
        known[ENAMETOOLONG] = new Known("ENAMETOOLONG", "file name too long");
        known[ENOLCK] = new Known("ENOLCK", "no locks available");
        known[ENOSYS] = new Known("ENOSYS", "this kernel has no such call");
        known[ENOTEMPTY] = new Known("ENOTEMPTY", "directory not empty");
        known[ELOOP] = new Known("ELOOP", "too many levels of symbolic links");
        known[EBADR] = new Known("EBADR", "invalid request descriptor; of io_uring: completions were lost");
        known[ENODATA] = new Known("ENODATA", "no data available");
        known[ETIME] = new Known("ETIME", "timer expired");
        known[ENOSR] = new Known("ENOSR", "out of streams resources");
        known[ENONET] = new Known("ENONET", "machine is not on the network");
        known[ENOLINK] = new Known("ENOLINK", "link has been severed");
        known[EPROTO] = new Known("EPROTO", "protocol error");
        known[EBADMSG] = new Known("EBADMSG", "bad message");
        known[EOVERFLOW] = new Known("EOVERFLOW", "value too large for defined data type");
        known[EBADFD] = new Known("EBADFD", "file descriptor in bad state");
        known[EUSERS] = new Known("EUSERS", "too many users");
        known[ENOTSOCK] = new Known("ENOTSOCK", "socket operation on non-socket");
        known[EDESTADDRREQ] = new Known("EDESTADDRREQ", "destination address required");
        known[EMSGSIZE] = new Known("EMSGSIZE", "message too long");
        known[EPROTOTYPE] = new Known("EPROTOTYPE", "protocol wrong type for socket");
        known[ENOPROTOOPT] = new Known("ENOPROTOOPT", "protocol not available");
        known[EPROTONOSUPPORT] = new Known("EPROTONOSUPPORT", "protocol not supported");
        known[ESOCKTNOSUPPORT] = new Known("ESOCKTNOSUPPORT", "socket type not supported");
        known[EOPNOTSUPP] = new Known("EOPNOTSUPP", "operation not supported");
        known[EPFNOSUPPORT] = new Known("EPFNOSUPPORT", "protocol family not supported");
        known[EAFNOSUPPORT] = new Known("EAFNOSUPPORT", "address family not supported by protocol");
        known[EADDRINUSE] = new Known("EADDRINUSE", "address already in use");
        known[EADDRNOTAVAIL] = new Known("EADDRNOTAVAIL", "cannot assign requested address");
        known[ENETDOWN] = new Known("ENETDOWN", "network is down");
        known[ENETUNREACH] = new Known("ENETUNREACH", "network is unreachable");
        known[ENETRESET] = new Known("ENETRESET", "network dropped connection on reset");
        known[ECONNABORTED] = new Known("ECONNABORTED", "software caused connection abort");
        known[ECONNRESET] = new Known("ECONNRESET", "connection reset by peer");
        known[ENOBUFS] = new Known("ENOBUFS", "no buffer space");
        known[EISCONN] = new Known("EISCONN", "transport endpoint is already connected");
        known[ENOTCONN] = new Known("ENOTCONN", "transport endpoint is not connected");
        known[ESHUTDOWN] = new Known("ESHUTDOWN", "cannot send after transport endpoint shutdown");
        known[ETOOMANYREFS] = new Known("ETOOMANYREFS", "too many references: cannot splice");
        known[ETIMEDOUT] = new Known("ETIMEDOUT", "connection timed out");
        known[ECONNREFUSED] = new Known("ECONNREFUSED", "connection refused");
        known[EHOSTDOWN] = new Known("EHOSTDOWN", "host is down");
        known[EHOSTUNREACH] = new Known("EHOSTUNREACH", "no route to host");
        known[EALREADY] = new Known("EALREADY", "operation already in progress");
        known[EINPROGRESS] = new Known("EINPROGRESS", "operation now in progress");
        known[ESTALE] = new Known("ESTALE", "stale file handle");
        known[EDQUOT] = new Known("EDQUOT", "disk quota exceeded");
        known[ECANCELED] = new Known("ECANCELED", "operation canceled");
        known[EOWNERDEAD] = new Known("EOWNERDEAD", "owner died");
        known[ENOTRECOVERABLE] = new Known("ENOTRECOVERABLE", "state not recoverable");
        return known;
    }

    private record Known(String name, String words) {}
}
