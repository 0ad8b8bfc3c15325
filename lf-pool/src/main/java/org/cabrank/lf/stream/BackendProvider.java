package org.cabrank.lf.stream;

/** One way of serving streams, found by {@link java.util.ServiceLoader}. */
public interface BackendProvider {

    /** The name that {@code --backend} takes. */
    String name();
}
