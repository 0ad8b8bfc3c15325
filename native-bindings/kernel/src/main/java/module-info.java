/** Declares the Linux system calls as small interfaces, with their error numbers and a loader that finds an implementation. */
@SuppressWarnings("module") // the modules that get qualified exports are compiled later
module org.cabrank.kernel {
    exports org.cabrank.kernel;
    exports org.cabrank.kernel.layout to
            org.cabrank.affinity,
            org.cabrank.bench,
            org.cabrank.bench.lab,
            org.cabrank.bench.load,
            org.cabrank.epoll,
            org.cabrank.handover,
            org.cabrank.iouring,
            org.cabrank.kernel.jna,
            org.cabrank.kernel.panama,
            org.cabrank.netty,
            org.cabrank.socket;

    uses org.cabrank.kernel.KernelProvider;
}
