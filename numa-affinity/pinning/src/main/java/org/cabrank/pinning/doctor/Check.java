package org.cabrank.pinning.doctor;

/** Check of one property of the machine, the process or the JVM. */
@FunctionalInterface
interface Check {
    Finding look(CheckContext context);
}
