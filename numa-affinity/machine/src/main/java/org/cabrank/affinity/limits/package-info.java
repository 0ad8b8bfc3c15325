/** Limits of this process on the machine: affinity mask, cpuset, CPU quota, and the JVM's own count of processors. */
package org.cabrank.affinity.limits;
