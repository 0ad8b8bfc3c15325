package org.cabrank.kernel.panama;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.cabrank.kernel.Abi;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SystemCall;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.panama.CMeaning.Constant;
import org.cabrank.kernel.panama.CMeaning.OffsetOf;
import org.cabrank.kernel.panama.CMeaning.SizeOf;

/**
 * A number of the C headers that the kernel module declares for Java 17: a constant, a size or an offset. {@link #all}
 * finds them by reflection, so that none is forgotten.
 */
record DeclaredNumber(String name, CMeaning meaning, boolean isInt, ByAbi declared) {
    /** Every public number in these classes is a C constant of the same name. */
    private static final Set<String> CONSTANT_CLASSES = Set.of(
            "Errno",
            "Sockets",
            "FileFlags",
            "Epoll",
            "Events",
            "Inotify",
            "IoUring",
            "Memory",
            "MemoryPolicies",
            "Resources",
            "Scheduling",
            "SocketFilters");

    private static final Map<String, CMeaning> LAYOUTS = Map.ofEntries(
            Map.entry("EpollEvent.SIZE_BYTES", new SizeOf("struct epoll_event")),
            Map.entry("EpollEvent.EVENTS_OFFSET", new OffsetOf("struct epoll_event", "events")),
            Map.entry("EpollEvent.DATA_OFFSET", new OffsetOf("struct epoll_event", "data")),
            Map.entry("InotifyEvent.SIZE_BYTES", new SizeOf("struct inotify_event")),
            Map.entry("InotifyEvent.WD_OFFSET", new OffsetOf("struct inotify_event", "wd")),
            Map.entry("InotifyEvent.MASK_OFFSET", new OffsetOf("struct inotify_event", "mask")),
            Map.entry("InotifyEvent.COOKIE_OFFSET", new OffsetOf("struct inotify_event", "cookie")),
            Map.entry("InotifyEvent.LEN_OFFSET", new OffsetOf("struct inotify_event", "len")),
            Map.entry("InotifyEvent.NAME_OFFSET", new OffsetOf("struct inotify_event", "name")),
            Map.entry("InotifyEvent.NAME_BYTES_MAX", new Constant("NAME_MAX", 1)),
            Map.entry("IoUringBuf.RING_TAIL_OFFSET", new OffsetOf("struct io_uring_buf_ring", "tail")),
            Map.entry("IoUringProbe.OP_SIZE_BYTES", new SizeOf("struct io_uring_probe_op")),
            Map.entry("IoUringProbe.OP_OP_OFFSET", new OffsetOf("struct io_uring_probe_op", "op")),
            Map.entry("IoUringProbe.OP_FLAGS_OFFSET", new OffsetOf("struct io_uring_probe_op", "flags")),
            Map.entry("IoUringSqe.OP_FLAGS_OFFSET", new OffsetOf("struct io_uring_sqe", "rw_flags")),
            Map.entry("Linger.SIZE_BYTES", new SizeOf("struct linger")),
            Map.entry("Linger.ONOFF_OFFSET", new OffsetOf("struct linger", "l_onoff")),
            Map.entry("Linger.LINGER_OFFSET", new OffsetOf("struct linger", "l_linger")),
            Map.entry("MessageQueueAttributes.SIZE_BYTES", new SizeOf("struct mq_attr")),
            Map.entry("MessageQueueAttributes.FLAGS_OFFSET", new OffsetOf("struct mq_attr", "mq_flags")),
            Map.entry("MessageQueueAttributes.MAXMSG_OFFSET", new OffsetOf("struct mq_attr", "mq_maxmsg")),
            Map.entry("MessageQueueAttributes.MSGSIZE_OFFSET", new OffsetOf("struct mq_attr", "mq_msgsize")),
            Map.entry("MessageQueueAttributes.CURMSGS_OFFSET", new OffsetOf("struct mq_attr", "mq_curmsgs")),
            Map.entry("ResourceLimit.SIZE_BYTES", new SizeOf("struct rlimit")),
            Map.entry("ResourceLimit.CUR_OFFSET", new OffsetOf("struct rlimit", "rlim_cur")),
            Map.entry("ResourceLimit.MAX_OFFSET", new OffsetOf("struct rlimit", "rlim_max")),
            Map.entry("SchedulingParameter.SIZE_BYTES", new SizeOf("struct sched_param")),
            Map.entry("SchedulingParameter.PRIORITY_OFFSET", new OffsetOf("struct sched_param", "sched_priority")),
            Map.entry("SignalInfo.SIZE_BYTES", new SizeOf("struct signalfd_siginfo")),
            Map.entry("SignalInfo.SIGNO_OFFSET", new OffsetOf("struct signalfd_siginfo", "ssi_signo")),
            Map.entry("SignalInfo.ERRNO_OFFSET", new OffsetOf("struct signalfd_siginfo", "ssi_errno")),
            Map.entry("SignalInfo.CODE_OFFSET", new OffsetOf("struct signalfd_siginfo", "ssi_code")),
            Map.entry("SignalInfo.PID_OFFSET", new OffsetOf("struct signalfd_siginfo", "ssi_pid")),
            Map.entry("SignalInfo.UID_OFFSET", new OffsetOf("struct signalfd_siginfo", "ssi_uid")),
            Map.entry("SignalInfo.STATUS_OFFSET", new OffsetOf("struct signalfd_siginfo", "ssi_status")),
            Map.entry("SignalInfo.INT_OFFSET", new OffsetOf("struct signalfd_siginfo", "ssi_int")),
            Map.entry("SignalSet.SIZE_BYTES", new SizeOf("__sigset_t")),
            Map.entry("SignalSet.MAX_SIGNAL", new Constant("_NSIG", -1)),
            Map.entry("SocketAddresses.ROOM_BYTES", new SizeOf("struct sockaddr_storage")),
            Map.entry("SocketAddresses.FAMILY_OFFSET", new OffsetOf("struct sockaddr_storage", "ss_family")),
            Map.entry("SocketAddresses.INET_SIZE_BYTES", new SizeOf("struct sockaddr_in")),
            Map.entry("SocketAddresses.INET_PORT_OFFSET", new OffsetOf("struct sockaddr_in", "sin_port")),
            Map.entry("SocketAddresses.INET_ADDRESS_OFFSET", new OffsetOf("struct sockaddr_in", "sin_addr")),
            Map.entry("SocketAddresses.INET6_SIZE_BYTES", new SizeOf("struct sockaddr_in6")),
            Map.entry("SocketAddresses.INET6_PORT_OFFSET", new OffsetOf("struct sockaddr_in6", "sin6_port")),
            Map.entry("SocketAddresses.INET6_ADDRESS_OFFSET", new OffsetOf("struct sockaddr_in6", "sin6_addr")),
            Map.entry("SocketAddresses.INET6_SCOPE_ID_OFFSET", new OffsetOf("struct sockaddr_in6", "sin6_scope_id")),
            Map.entry("SocketAddresses.UNIX_SIZE_BYTES", new SizeOf("struct sockaddr_un")),
            Map.entry("SocketAddresses.UNIX_PATH_OFFSET", new OffsetOf("struct sockaddr_un", "sun_path")),
            // Newer kernels have further members behind these.
            Map.entry("TcpInfoLayout.SIZE_BYTES", new OffsetOf("struct tcp_info", "tcpi_total_rto_time", 4)),
            // The bit-fields have no offset of their own: they stand before the next member.
            Map.entry("TcpInfoLayout.WSCALE_OFFSET", new OffsetOf("struct tcp_info", "tcpi_rto", -2)),
            Map.entry("TcpInfoLayout.FLAGS_OFFSET", new OffsetOf("struct tcp_info", "tcpi_rto", -1)),
            Map.entry("TimeSpec.SIZE_BYTES", new SizeOf("struct timespec")),
            Map.entry("TimeSpec.SEC_OFFSET", new OffsetOf("struct timespec", "tv_sec")),
            Map.entry("TimeSpec.NSEC_OFFSET", new OffsetOf("struct timespec", "tv_nsec")),
            Map.entry("TimerSpec.SIZE_BYTES", new SizeOf("struct itimerspec")),
            Map.entry("TimerSpec.INTERVAL_SEC_OFFSET", new OffsetOf("struct itimerspec", "it_interval.tv_sec")),
            Map.entry("TimerSpec.INTERVAL_NSEC_OFFSET", new OffsetOf("struct itimerspec", "it_interval.tv_nsec")),
            Map.entry("TimerSpec.VALUE_SEC_OFFSET", new OffsetOf("struct itimerspec", "it_value.tv_sec")),
            Map.entry("TimerSpec.VALUE_NSEC_OFFSET", new OffsetOf("struct itimerspec", "it_value.tv_nsec")));

    /**
     * Classes that are one struct each: {@code SIZE_BYTES} is its size, and {@code NAME_OFFSET} the offset of its member
     * {@code name}, unless it stands above.
     */
    private static final Map<String, Struct> STRUCTS = Map.ofEntries(
            Map.entry("CmsgHdr", new Struct("cmsghdr", "cmsg_")),
            Map.entry("EpollParams", new Struct("epoll_params", "")),
            Map.entry("GroupReq", new Struct("group_req", "gr_")),
            Map.entry("GroupSourceReq", new Struct("group_source_req", "gsr_")),
            Map.entry("In6Pktinfo", new Struct("in6_pktinfo", "ipi6_")),
            Map.entry("InPktinfo", new Struct("in_pktinfo", "ipi_")),
            Map.entry("IoUringBuf", new Struct("io_uring_buf", "")),
            Map.entry("IoUringBufReg", new Struct("io_uring_buf_reg", "")),
            Map.entry("IoUringCqe", new Struct("io_uring_cqe", "")),
            Map.entry("IoUringGeteventsArg", new Struct("io_uring_getevents_arg", "")),
            Map.entry("IoUringParams", new Struct("io_uring_params", "")),
            Map.entry("IoUringProbe", new Struct("io_uring_probe", "")),
            Map.entry("IoUringRecvmsgOut", new Struct("io_uring_recvmsg_out", "")),
            Map.entry("IoUringRsrcUpdate", new Struct("io_uring_rsrc_update", "")),
            Map.entry("IoUringSqe", new Struct("io_uring_sqe", "")),
            Map.entry("IoUringSyncCancelReg", new Struct("io_uring_sync_cancel_reg", "")),
            Map.entry("IoVec", new Struct("iovec", "iov_")),
            Map.entry("IpMreqn", new Struct("ip_mreqn", "imr_")),
            Map.entry("MMsgHdr", new Struct("mmsghdr", "msg_")),
            Map.entry("MsgHdr", new Struct("msghdr", "msg_")),
            Map.entry("SockExtendedErr", new Struct("sock_extended_err", "ee_")),
            Map.entry("SocketFilterInstruction", new Struct("sock_filter", "")),
            Map.entry("SocketFilterProgram", new Struct("sock_fprog", "")),
            Map.entry("TcpInfoLayout", new Struct("tcp_info", "tcpi_")),
            Map.entry("Ucred", new Struct("ucred", "")));

    /** The structs in another, by how the names of their members begin. */
    private static final Map<String, String> INNER = Map.of("sq_off_", "sq_off.", "cq_off_", "cq_off.");

    /** The fields whose value is that of the running ABI, and how to ask for that of another. */
    private static final Map<String, ToIntFunction<Abi>> BY_ABI = Map.of(
            "EpollEvent.SIZE_BYTES", EpollEvent::sizeBytes,
            "EpollEvent.DATA_OFFSET", EpollEvent::dataOffset);

    private static final Map<String, String> IN_NO_HEADER =
            Map.of("Errno.MAX_ERRNO", "the kernel's own: linux/err.h is not among the headers for programs");

    /**
     * Names that jextract has not read: younger than its headers, which are those of Linux 6.12, or taken up here since. The
     * compiler's headers may have them.
     */
    private static final Set<String> NOT_GENERATED = Set.of(
            "IoUring.IORING_REGISTER_SEND_MSG_RING",
            "IoUring.IORING_FEAT_NO_IOWAIT",
            "IoUring.IORING_ENTER_NO_IOWAIT",
            "SystemCall.IOCTL",
            "SocketFilters.BPF_H",
            "SocketFilters.BPF_B",
            "Scheduling.PR_SET_TIMERSLACK",
            "Scheduling.PR_GET_TIMERSLACK",
            "SystemCall.PRCTL",
            "SystemCall.RECVMMSG",
            "SystemCall.SENDMMSG",
            "Sockets.SO_TIMESTAMPING",
            "Sockets.SO_RXQ_OVFL",
            "Sockets.SO_MEMINFO",
            "Sockets.IP_TTL",
            "Sockets.IP_PKTINFO",
            "Sockets.IP_MTU_DISCOVER",
            "Sockets.IP_RECVERR",
            "Sockets.IP_RECVTOS",
            "Sockets.IP_MTU",
            "Sockets.IP_MULTICAST_IF",
            "Sockets.IP_MULTICAST_TTL",
            "Sockets.IP_MULTICAST_LOOP",
            "Sockets.MCAST_JOIN_GROUP",
            "Sockets.MCAST_LEAVE_GROUP",
            "Sockets.MCAST_JOIN_SOURCE_GROUP",
            "Sockets.MCAST_LEAVE_SOURCE_GROUP",
            "Sockets.IP_MULTICAST_ALL",
            "Sockets.IPV6_UNICAST_HOPS",
            "Sockets.IPV6_MULTICAST_IF",
            "Sockets.IPV6_MULTICAST_HOPS",
            "Sockets.IPV6_MULTICAST_LOOP",
            "Sockets.IPV6_MTU_DISCOVER",
            "Sockets.IPV6_MTU",
            "Sockets.IPV6_RECVERR",
            "Sockets.IPV6_MULTICAST_ALL",
            "Sockets.IPV6_RECVPKTINFO",
            "Sockets.IPV6_PKTINFO",
            "Sockets.IPV6_RECVTCLASS",
            "Sockets.UDP_SEGMENT",
            "Sockets.UDP_GRO",
            "Sockets.SOF_TIMESTAMPING_TX_SOFTWARE",
            "Sockets.SOF_TIMESTAMPING_RX_HARDWARE",
            "Sockets.SOF_TIMESTAMPING_RX_SOFTWARE",
            "Sockets.SOF_TIMESTAMPING_SOFTWARE",
            "Sockets.SOF_TIMESTAMPING_RAW_HARDWARE",
            "Sockets.SOF_TIMESTAMPING_OPT_ID",
            "Sockets.SOF_TIMESTAMPING_OPT_TSONLY",
            "Sockets.SO_EE_ORIGIN_LOCAL",
            "Sockets.SO_EE_ORIGIN_ICMP",
            "Sockets.SO_EE_ORIGIN_ICMP6",
            "Sockets.SO_EE_ORIGIN_TIMESTAMPING",
            "Sockets.SK_MEMINFO_DROPS",
            "Sockets.SK_MEMINFO_RMEM_ALLOC",
            "Sockets.MSG_ERRQUEUE",
            "SystemCall.SENDMSG",
            "SystemCall.RECVMSG",
            "Sockets.SCM_RIGHTS",
            "Sockets.MSG_CTRUNC",
            "Sockets.SIOCOUTQ",
            "Sockets.MSG_CMSG_CLOEXEC",
            "Sockets.SO_PEERGROUPS",
            "Sockets.SO_PEERPIDFD",
            "FileFlags.F_DUPFD_CLOEXEC",
            "CmsgHdr.SIZE_BYTES",
            "CmsgHdr.LEN_OFFSET",
            "CmsgHdr.LEVEL_OFFSET",
            "CmsgHdr.TYPE_OFFSET",
            "Ucred.SIZE_BYTES",
            "Ucred.PID_OFFSET",
            "Ucred.UID_OFFSET",
            "Ucred.GID_OFFSET",
            "Epoll.EPIOCSPARAMS",
            "Epoll.EPIOCGPARAMS",
            "SystemCall.FCNTL",
            "SystemCall.PREAD64",
            "SystemCall.PREADV2",
            "FileFlags.RWF_NOWAIT",
            "SystemCall.PWRITE64",
            "SystemCall.FSYNC",
            "SystemCall.FDATASYNC",
            "SystemCall.SENDFILE",
            "FileFlags.F_GETFD",
            "FileFlags.F_SETFD",
            "FileFlags.F_GETFL",
            "FileFlags.F_SETFL",
            "FileFlags.FD_CLOEXEC",
            "Sockets.SO_ATTACH_FILTER",
            "Sockets.SOF_TIMESTAMPING_TX_HARDWARE",
            "Sockets.SOF_TIMESTAMPING_OPT_TX_SWHW",
            "Sockets.SO_BINDTODEVICE",
            "Sockets.SO_MARK",
            "Sockets.TCP_CONGESTION",
            "Sockets.IP_TOS",
            "Sockets.IPV6_TCLASS",
            "FileFlags.O_TRUNC",
            "FileFlags.O_APPEND",
            "FileFlags.O_DSYNC",
            "FileFlags.O_SYNC",
            "IoUring.IORING_OP_FSYNC",
            "IoUring.IORING_FSYNC_DATASYNC");

    /** Structures that jextract has not read, taken up here since. */
    private static final Set<String> STRUCTS_NOT_GENERATED = Set.of(
            "EpollParams",
            "GroupReq",
            "GroupSourceReq",
            "In6Pktinfo",
            "InPktinfo",
            "IoUringRecvmsgOut",
            "IpMreqn",
            "MMsgHdr",
            "SockExtendedErr",
            "TcpInfoLayout");

    /** @param prefix of the names of its members in C, which Java leaves out */
    private record Struct(String name, String prefix) {
        Optional<CMeaning> meaning(String field) {
            if (field.equals("SIZE_BYTES")) {
                return Optional.of(new SizeOf("struct " + name));
            }
            if (!field.endsWith("_OFFSET")) {
                return Optional.empty();
            }
            String path =
                    field.substring(0, field.length() - "_OFFSET".length()).toLowerCase(Locale.ROOT);
            for (Map.Entry<String, String> inner : INNER.entrySet()) {
                path = path.startsWith(inner.getKey())
                        ? inner.getValue() + path.substring(inner.getKey().length())
                        : path;
            }
            return Optional.of(new OffsetOf("struct " + name, prefix + path));
        }
    }

    /** Returns true if the headers that jextract read declare the name. */
    boolean isGenerated() {
        return !NOT_GENERATED.contains(name) && !STRUCTS_NOT_GENERATED.contains(name.substring(0, name.indexOf('.')));
    }

    /**
     * Returns true if the compiler's headers may lack the name: io_uring and tcp_info grow with every kernel, the busy polling of epoll
     * and SO_PEERPIDFD are young, and a machine's headers may be much older than its kernel.
     */
    boolean mayBeTooNew() {
        return name.startsWith("IoUring")
                || name.startsWith("TcpInfoLayout")
                || name.startsWith("EpollParams")
                || name.startsWith("Epoll.EPIOC")
                || name.equals("Sockets.SO_PEERPIDFD");
    }

    /** The number that Java has for an ABI. */
    interface ByAbi {
        long value(Abi abi) throws IllegalAccessException;
    }

    long value(Abi abi) throws IllegalAccessException {
        return declared.value(abi);
    }

    private static DeclaredNumber of(Field field, String name) {
        ToIntFunction<Abi> byAbi = BY_ABI.get(name);
        ByAbi declared = byAbi != null ? byAbi::applyAsInt : abi -> ((Number) field.get(null)).longValue();
        // In 32 bits an unsigned C constant may be negative.
        return new DeclaredNumber(name, meaning(field, name), field.getType() == int.class, declared);
    }

    private static DeclaredNumber of(SystemCall call) {
        CMeaning meaning = new Constant("SYS_" + call.name().toLowerCase(Locale.ROOT));
        return new DeclaredNumber("SystemCall." + call.name(), meaning, true, call::number);
    }

    /**
     * Every public {@code static final} int or long of the kernel module, and the number of every {@link SystemCall}.
     *
     * @throws AssertionError for one that nobody has said the C meaning of
     */
    static List<DeclaredNumber> all() throws IOException, URISyntaxException, ClassNotFoundException {
        List<DeclaredNumber> all = new ArrayList<>();
        for (SystemCall call : SystemCall.values()) {
            all.add(of(call));
        }
        for (String className : classNames()) {
            for (Field field : Class.forName(className).getDeclaredFields()) {
                int modifiers = field.getModifiers();
                boolean number = field.getType() == int.class || field.getType() == long.class;
                if (number && Modifier.isPublic(modifiers) && Modifier.isStatic(modifiers)) {
                    String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
                    if (!IN_NO_HEADER.containsKey(name)) {
                        all.add(of(field, name));
                    }
                }
            }
        }
        return all;
    }

    private static CMeaning meaning(Field field, String name) {
        if (CONSTANT_CLASSES.contains(field.getDeclaringClass().getSimpleName())) {
            return new Constant(field.getName());
        }
        CMeaning meaning = LAYOUTS.get(name);
        Struct struct = STRUCTS.get(field.getDeclaringClass().getSimpleName());
        if (meaning == null && struct != null) {
            meaning = struct.meaning(field.getName()).orElse(null);
        }
        if (meaning == null) {
            throw new AssertionError(name + ": say in " + DeclaredNumber.class.getSimpleName() + " what this is in C");
        }
        return meaning;
    }

    private static List<String> classNames() throws IOException, URISyntaxException {
        URI location =
                Kernel.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path path = Path.of(location);
        if (Files.isDirectory(path)) {
            return classNames(path);
        }
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
            return classNames(jar.getPath("/"));
        }
    }

    private static List<String> classNames(Path root) throws IOException {
        List<String> names = new ArrayList<>();
        for (String packageName : List.of(Kernel.class.getPackageName(), IoUring.class.getPackageName())) {
            try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
                files.map(file -> file.getFileName().toString())
                        .filter(file -> file.endsWith(".class"))
                        .map(file -> packageName + "." + file.substring(0, file.length() - ".class".length()))
                        .sorted()
                        .forEach(names::add);
            }
        }
        return names;
    }
}
