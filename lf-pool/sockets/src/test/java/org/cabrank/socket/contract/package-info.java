/**
 * The contract of {@link org.cabrank.socket.DescriptorSet}, and of everything that is built on descriptors. A reactor's
 * tests extend each contract; their {@code static Stream<SetMode> modes()}, made from a
 * {@link org.cabrank.socket.contract.SetKind}, selects the sets and pools to run it over. The contracts do not depend on a
 * reactor.
 */
package org.cabrank.socket.contract;
