/**
 * File descriptors as handles (POSA2: Handle) of a set, which each reactor implements. A handle can have any descriptor that can be polled.
 *
 * <p>A service registers a descriptor and an {@link org.cabrank.lf.handle.EventHandler} with a {@link org.cabrank.socket.DescriptorSet}.
 *
 * <pre>{@code
 * UdpSocket echo = UdpSocket.bind(set, new InetSocketAddress("127.0.0.1", 5353), (socket, datagram) -> datagram.reply(datagram.data()));
 * }</pre>
 *
 * <p>A member of a multicast group that handles its datagrams in order:
 *
 * <pre>{@code
 * UdpSocket quotes = UdpSocket.bind(set, new InetSocketAddress("239.1.2.3", 5000), DatagramOptions.DEFAULT.withOrdered(true), handler);
 * GroupMembership membership = quotes.join(InetAddress.getByName("239.1.2.3"), NetworkInterface.getByName("eth0"));
 * }</pre>
 *
 * <p>A handler that takes batches and answers each batch by one system call:
 *
 * <pre>{@code
 * OutgoingBatch answers = ...; // socket.newBatch(32, 1_500)
 * DatagramHandler.ofBatches((socket, batch) -> {
 *     for (int i = 0; i < batch.size(); i++) {
 *         answers.reply(batch.get(i), batch.get(i).data());
 *     }
 *     answers.send();
 * });
 * }</pre>
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.socket;
