/** System calls through JNA, for a JVM without the Foreign Function and Memory API. */
module org.cabrank.kernel.jna {
    requires org.cabrank.kernel;
    requires com.sun.jna;

    provides org.cabrank.kernel.KernelProvider with
            org.cabrank.kernel.jna.JnaKernelProvider;
}
