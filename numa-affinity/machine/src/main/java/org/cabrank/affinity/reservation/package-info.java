/**
 * CPUs that services of one host reserve from each other, by advisory locks on files that vanish with the process: whoever
 * asks learns that a CPU is taken and by whom, and nobody else is kept from anything.
 */
package org.cabrank.affinity.reservation;
