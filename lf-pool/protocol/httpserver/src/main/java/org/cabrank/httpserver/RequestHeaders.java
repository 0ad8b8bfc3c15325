package org.cabrank.httpserver;

import com.sun.net.httpserver.Headers;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cabrank.http.message.HttpFields;

/** The immutable fields of a request. JDK 18 and later have {@code Headers.of} for this. */
final class RequestHeaders extends Headers {
    private static final String CHANGE = "the headers of a request cannot be changed";

    private final boolean complete;

    RequestHeaders(HttpFields fields) {
        int count = fields.count();
        for (int i = 0; i < count; i++) {
            super.add(fields.name(i).toString(), fields.value(i).toString());
        }
        complete = true;
    }

    private void requireIncomplete() {
        if (complete) {
            throw new UnsupportedOperationException(CHANGE);
        }
    }

    @Override
    public List<String> get(Object key) {
        List<String> values = super.get(key);
        return values == null ? null : Collections.unmodifiableList(values);
    }

    @Override
    public List<String> put(String key, List<String> value) {
        requireIncomplete();
        return super.put(key, value);
    }

    @Override
    public void add(String key, String value) {
        throw new UnsupportedOperationException(CHANGE);
    }

    @Override
    public List<String> remove(Object key) {
        throw new UnsupportedOperationException(CHANGE);
    }

    @Override
    public void putAll(Map<? extends String, ? extends List<String>> added) {
        throw new UnsupportedOperationException(CHANGE);
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException(CHANGE);
    }

    @Override
    public Set<String> keySet() {
        return Collections.unmodifiableSet(super.keySet());
    }

    @Override
    public Collection<List<String>> values() {
        return Collections.unmodifiableCollection(super.values());
    }

    @Override
    public Set<Map.Entry<String, List<String>>> entrySet() {
        Map<String, List<String>> view = new AbstractMap<>() {
            @Override
            public Set<Map.Entry<String, List<String>>> entrySet() {
                return entries();
            }
        };
        return Collections.unmodifiableMap(view).entrySet();
    }

    private Set<Map.Entry<String, List<String>>> entries() {
        return super.entrySet();
    }
}
