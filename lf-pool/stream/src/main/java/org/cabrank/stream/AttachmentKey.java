package org.cabrank.stream;

import java.util.Objects;

/**
 * Key of an object of type {@code T} that is {@linkplain Connection#attach attached} to connections. A key is equal to itself only: keys
 * that two layers have made never collide, even with the same name. Meant for static fields:
 *
 * <pre>{@code
 * private static final AttachmentKey<Session> SESSION = AttachmentKey.named("session");
 *
 * connection.attach(SESSION, new Session());
 * Session session = connection.attachment(SESSION); // null if nothing is attached
 * }</pre>
 *
 * @param <T> type of the attached objects; may be generic
 */
public final class AttachmentKey<T> {
    private final String name;

    private AttachmentKey(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    public static <T> AttachmentKey<T> named(String name) {
        return new AttachmentKey<>(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
