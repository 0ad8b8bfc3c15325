/** What of the machine this process may use: affinity mask, cpuset, CPU quota, and what the JVM makes of them. */
package org.cabrank.affinity.limits;
