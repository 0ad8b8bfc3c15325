/** Checks of the machine, the process and the JVM for causes of latency, each with its effect and its remedy. */
package org.cabrank.pinning.doctor;
