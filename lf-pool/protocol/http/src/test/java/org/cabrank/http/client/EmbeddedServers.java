package org.cabrank.http.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;

/** Servers without sockets, which a test plays: keeps each connection that a client makes. */
final class EmbeddedServers implements HttpConnector, AutoCloseable {
    private final List<EmbeddedConnection> made = Collections.synchronizedList(new ArrayList<>());

    private String answered;
    private String answer;

    /** The next server has read the request and answers, before a write of these bytes has returned to another thread than its own. */
    void answersDuringWrite(String bytes, String response) {
        answered = bytes;
        answer = response;
    }

    @Override
    public CompletableFuture<Connection> connect(String host, int port, ConnectionHandler handler) {
        EmbeddedConnection connection = EmbeddedConnection.open(answered == null ? handler : answering(handler));
        made.add(connection);
        return CompletableFuture.completedFuture(connection.connection());
    }

    private ConnectionHandler answering(ConnectionHandler handler) {
        Connection[] decorated = {null};
        return delegating(ConnectionHandler.class, (proxy, method, arguments) -> {
            if (decorated[0] == null) {
                decorated[0] = answering((Connection) arguments[0]);
            }
            arguments[0] = decorated[0];
            return method.invoke(handler, arguments);
        });
    }

    private Connection answering(Connection connection) {
        return delegating(Connection.class, (proxy, method, arguments) -> {
            boolean answers = method.getName().equals("write")
                    && StandardCharsets.US_ASCII
                            .decode(((ByteBuffer) arguments[0]).duplicate())
                            .toString()
                            .equals(answered);
            Object result = method.invoke(connection, arguments);
            if (answers) {
                last().awaitIdle();
                last().peerSends(answer);
            }
            return result;
        });
    }

    private static <T> T delegating(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    int connections() {
        return made.size();
    }

    /** The connection that the client has made after so many others. */
    EmbeddedConnection connection(int index) {
        return made.get(index);
    }

    EmbeddedConnection last() {
        return made.get(made.size() - 1);
    }

    @Override
    public void close() {
        List.copyOf(made).forEach(EmbeddedConnection::close);
    }
}
