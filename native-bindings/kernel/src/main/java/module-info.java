/** The Linux system calls as small interfaces, their errors and the loader that finds an implementation. */
module org.cabrank.kernel {
    exports org.cabrank.kernel;

    uses org.cabrank.kernel.KernelProvider;
}
