/** System calls through the Foreign Function and Memory API. */
module org.cabrank.kernel.panama {
    requires org.cabrank.kernel;

    provides org.cabrank.kernel.KernelProvider with
            org.cabrank.kernel.panama.PanamaKernelProvider;
}
