package org.cabrank.bench.doctor;

/** Looks at one thing. */
@FunctionalInterface
interface Check {
    Finding look(Patient patient);
}
