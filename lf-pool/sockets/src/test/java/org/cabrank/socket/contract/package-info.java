/**
 * What every {@link org.cabrank.socket.DescriptorSet} must do alike, and all that is built on descriptors over each of them.
 * A reactor's tests extend each contract and say with {@code static Stream<SetMode> modes()}, made from its {@link
 * org.cabrank.socket.contract.SetKind}, which sets and pools it is run over; nothing here knows which reactor it is.
 */
package org.cabrank.socket.contract;
