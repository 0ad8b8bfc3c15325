package org.cabrank.bench.resp;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * A map in memory for Redis clients, version 2 of their protocol. One object serves all connections of a server. The commands are PING,
 * GET, SET without options, INCR, DEL, CONFIG GET (redis-benchmark asks) and DEBUG SLEEP, which blocks a thread of the server. The map
 * has no limit.
 *
 * <p>A pipeline is answered in order, and its replies are gathered by the connection. While the peer does not take its replies, no
 * further command is handled.
 */
public final class RespHandler implements ConnectionHandler {
    private static final byte[] OK = line("+OK");
    private static final byte[] PONG = line("+PONG");
    private static final byte[] NIL = line("$-1");
    private static final byte[] NO_NUMBER = line("-ERR value is not a number or out of range");
    private static final byte[] UNKNOWN = line("-ERR unknown command or wrong number of arguments");
    private static final byte[] ONE = {'1'};
    private static final double NS_PER_SECOND = 1e9;

    private final HandlerWork work;
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();

    public RespHandler(HandlerWork work) {
        this.work = work;
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        try {
            while (data.hasRemaining() && connection.isReceiving()) {
                byte[][] command = RespParser.next(data);
                if (command == null) {
                    return; // the rest is kept, and stands in front of the next bytes
                }
                if (work.performOrPutOff() != HandlerWork.Outcome.PUT_OFF) {
                    answer(connection, command);
                } else {
                    work.handAway(connection, (own, nothing) -> answer(own, command));
                }
            }
        } catch (ProtocolException malformed) {
            data.position(data.limit());
            send(connection, line("-ERR Protocol error: " + malformed.getMessage()));
            connection.close(); // after the replies
        }
    }

    private void answer(Connection connection, byte[][] command) throws InterruptedException {
        byte[] reply;
        try {
            reply = reply(command);
        } catch (ArithmeticException | NumberFormatException noNumber) {
            reply = NO_NUMBER;
        }
        send(connection, reply);
    }

    private static void send(Connection connection, byte[] reply) {
        connection.write(ByteBuffer.wrap(reply));
        if (!connection.isWritable()) {
            connection.pauseReading();
        }
    }

    @Override
    public void writable(Connection connection) {
        connection.resumeReading();
    }

    private byte[] reply(byte[][] command) throws InterruptedException {
        if (is(command, "GET", 2)) {
            return string(values.get(text(command[1])));
        }
        if (is(command, "SET", 3)) {
            values.put(text(command[1]), command[2]);
            return OK;
        }
        if (is(command, "PING", 1)) {
            return PONG;
        }
        if (is(command, "INCR", 2)) {
            byte[] sum = values.merge(text(command[1]), ONE, (value, one) -> {
                return bytes(Long.toString(Math.addExact(Long.parseLong(text(value)), 1)));
            });
            return line(":" + text(sum));
        }
        if (is(command, "DEL", Math.max(2, command.length))) {
            long removed = Arrays.stream(command, 1, command.length)
                    .filter(key -> values.remove(text(key)) != null)
                    .count();
            return line(":" + removed);
        }
        if (is(command, "CONFIG", 3)) { // GET of a parameter: its name, and an empty value
            return bytes("*2\r\n" + text(string(command[2])) + "$0\r\n\r\n");
        }
        if (is(command, "DEBUG", 3)) { // SLEEP
            TimeUnit.NANOSECONDS.sleep(Math.round(Double.parseDouble(text(command[2])) * NS_PER_SECOND));
            return OK;
        }
        return UNKNOWN;
    }

    /** Returns true for a command with this name, in upper case here, and so many arguments with the name. */
    private static boolean is(byte[][] command, String name, int arguments) {
        return command.length == arguments
                && command[0].length == name.length()
                && text(command[0]).equalsIgnoreCase(name);
    }

    private static byte[] string(byte[] value) {
        if (value == null) {
            return NIL;
        }
        byte[] head = line("$" + value.length);
        byte[] reply = Arrays.copyOf(head, head.length + value.length + 2);
        System.arraycopy(value, 0, reply, head.length, value.length);
        reply[reply.length - 2] = '\r';
        reply[reply.length - 1] = '\n';
        return reply;
    }

    private static byte[] line(String text) {
        return bytes(text + "\r\n");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns a string of as many characters as bytes. Usable as a key of a map, because different bytes give different strings. */
    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
