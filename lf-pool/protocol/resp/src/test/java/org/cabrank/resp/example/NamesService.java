package org.cabrank.resp.example;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.cabrank.resp.Resp;
import org.cabrank.resp.RespCommand;
import org.cabrank.resp.RespHandler;
import org.cabrank.resp.RespWriter;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamServer;

/** Keeps names for clients of Redis: SET and GET, and HELLO, by which a client chooses the version of the protocol. */
public final class NamesService implements RespHandler {
    private final Map<String, byte[]> names;

    NamesService(Map<String, byte[]> names) {
        this.names = names;
    }

    @Override
    public void command(Connection connection, RespCommand command, RespWriter reply) {
        if (command.is(0, "GET") && command.count() == 2) {
            byte[] name = names.get(command.text(1));
            if (name == null) {
                reply.nil();
            } else {
                reply.bulk(name);
            }
        } else if (command.is(0, "SET") && command.count() == 3) {
            names.put(command.text(1), command.copy(2)); // a copy, because the command is valid only during this call
            reply.ok();
        } else if (command.is(0, "HELLO")) {
            hello(command, reply);
        } else {
            reply.error("ERR unknown command or wrong number of arguments");
        }
    }

    private static void hello(RespCommand command, RespWriter reply) {
        if (command.count() > 1) {
            if (!command.is(1, "2") && !command.is(1, "3")) {
                reply.error("NOPROTO unsupported protocol version");
                return;
            }
            reply.version((int) command.integer(1));
        }
        reply.map(2); // an array of four elements for a client of version 2
        reply.bulk("server");
        reply.bulk("names");
        reply.bulk("proto");
        reply.integer(reply.version());
    }

    static StreamServer start(int port) throws IOException {
        Map<String, byte[]> names = new ConcurrentHashMap<>();
        return StreamServer.builder()
                .listen("127.0.0.1", port)
                .handler(Resp.server().handlers(() -> new NamesService(names)))
                .start();
    }

    public static void main(String[] args) throws Exception {
        try (StreamServer server = start(args.length > 0 ? Integer.parseInt(args[0]) : 6379)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // SIGTERM drains
            server.awaitTermination();
        }
    }
}
