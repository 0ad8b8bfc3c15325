package org.cabrank.resp;

import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionHandler;

/**
 * The server's side of RESP, the protocol of Redis clients: makes handlers of connections from handlers of commands. Speaks version 2
 * until {@link RespWriter#version(int)} says otherwise, which a handler calls for the command HELLO. Immutable: one object serves all
 * connections.
 *
 * <p>All methods may be called by any thread.
 */
public final class Resp {
    private final RespLimits limits;

    private Resp(RespLimits limits) {
        this.limits = limits;
    }

    /** The server's side with default limits. */
    public static Resp server() {
        return server(RespLimits.DEFAULT);
    }

    /** The server's side with these limits for commands. */
    public static Resp server(RespLimits limits) {
        return new Resp(Objects.requireNonNull(limits, "limits"));
    }

    /** Limits for commands. */
    public RespLimits limits() {
        return limits;
    }

    /** Returns a handler for one connection that calls {@code handler} for each command. */
    public ConnectionHandler handler(RespHandler handler) {
        return new CommandDecoder(limits, Objects.requireNonNull(handler, "handler"));
    }

    /** Returns the supplier of a server's handlers: each connection gets a command handler of {@code handlers}. */
    public Supplier<ConnectionHandler> handlers(Supplier<? extends RespHandler> handlers) {
        Objects.requireNonNull(handlers, "handlers");
        return () -> handler(handlers.get());
    }
}
