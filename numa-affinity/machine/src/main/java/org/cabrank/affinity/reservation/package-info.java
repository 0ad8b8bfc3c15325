/**
 * CPUs that services of one host reserve from each other, by advisory locks on files, which the kernel releases when the process ends. A
 * service learns which CPUs are taken and by whom; the locks keep nobody from using a CPU.
 *
 * <pre>{@code
 * CpuReservations reservations = CpuReservations.ofThisHost();
 * CpuReservation mine = reservations.reserve(CpuList.parse("2-3"), "order gateway");
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.reservation;
