/**
 * Services of one host reserve CPUs by advisory locks on files. The kernel releases the locks when the process ends. A service can read
 * which CPUs are reserved and who holds them. The locks do not keep a process from using a CPU.
 *
 * <pre>{@code
 * CpuReservations reservations = CpuReservations.ofThisHost();
 * CpuReservation mine = reservations.reserve(CpuList.parse("2-3"), "order gateway");
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.affinity.reservation;
