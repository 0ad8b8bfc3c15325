/** Looks at a machine, a process and a JVM with the eyes of a service that shall answer fast, and says what would help. */
package org.cabrank.bench.doctor;
