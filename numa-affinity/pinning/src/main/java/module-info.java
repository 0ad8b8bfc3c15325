/** Pinning of the threads of a stream reactor, reserved CPUs, and checks of the machine for causes of latency. */
module org.cabrank.pinning {
    requires transitive org.cabrank.affinity;
    requires transitive org.cabrank.stream;

    // For the checks that read flags of the JVM.
    requires java.management;
    requires jdk.management;

    exports org.cabrank.pinning;
    exports org.cabrank.pinning.doctor;
}
