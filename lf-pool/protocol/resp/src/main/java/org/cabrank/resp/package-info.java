/**
 * RESP, the protocol of Redis clients, in its versions 2 and 3. A {@link org.cabrank.resp.RespHandler} is given whole commands, and
 * answers with a {@link org.cabrank.resp.RespWriter}:
 *
 * <pre>{@code
 * StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", 6379)
 *         .handler(Resp.server().handlers(() -> (connection, command, reply) -> {
 *             if (command.is(0, "ECHO") && command.count() == 2) {
 *                 reply.bulk(command.argument(1)); // a view of the received bytes
 *             } else {
 *                 reply.error("ERR unknown command");
 *             }
 *         }))
 *         .start();
 * }</pre>
 *
 * <p>Commands of a pipeline are handled in order, and their replies are sent together. Nothing is allocated for a command or a reply
 * once a thread is warm, except where the documentation of a method names an allocation. Commands have limits ({@link
 * org.cabrank.resp.RespLimits}); a client that exceeds a limit, or sends bytes that are no command, gets Redis' error message, and the
 * connection is closed.
 *
 * <p>{@link org.cabrank.resp.RespReader} reads replies, for clients.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.resp;
