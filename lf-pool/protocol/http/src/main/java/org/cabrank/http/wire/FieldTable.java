package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpText;

/** Places of the field lines in a message, relative to its first byte, so that the message may be moved. Not thread-safe. */
public final class FieldTable implements HttpFields {
    /** Empty bytes, for the fields of a message that is gone. */
    public static final ByteBuffer GONE = ByteBuffer.allocate(0);

    private static final int INITIAL = 16;
    private static final int PLACES = 4;

    /** For each line: start and length of the name, start and length of the value. */
    private int[] places = new int[INITIAL * PLACES];

    private int count;
    private ByteBuffer bytes = GONE;
    private int origin;

    private TextView[] views = new TextView[INITIAL];

    FieldTable() {}

    void clear() {
        count = 0;
        bytes = GONE;
    }

    void add(int nameStart, int nameLength, int valueStart, int valueLength) {
        int at = count * PLACES;
        if (at == places.length) {
            places = Arrays.copyOf(places, 2 * at);
        }
        places[at] = nameStart;
        places[at + 1] = nameLength;
        places[at + 2] = valueStart;
        places[at + 3] = valueLength;
        count++;
    }

    /** Reads the message in {@code source} from now on. The first byte of the message is at {@code first}. */
    public void show(ByteBuffer source, int first) {
        bytes = source;
        origin = first;
    }

    /**
     * Copies the first {@code count} bytes of the message to {@code other}, and reads the fields there from now on. The views of fields that
     * were passed on, and {@code others}, show the copy too.
     */
    void moveTo(ByteBuffer other, int count, TextView[] others) {
        ByteBuffer source = bytes();
        for (int i = 0; i < count; i++) {
            other.put(i, source.get(origin + i));
        }
        follow(views, source, other);
        follow(others, source, other);
        show(other, 0);
    }

    private void follow(TextView[] shown, ByteBuffer source, ByteBuffer copy) {
        for (TextView view : shown) {
            if (view != null) {
                view.follow(source, origin, copy);
            }
        }
    }

    int origin() {
        return origin;
    }

    ByteBuffer bytes() {
        if (bytes == GONE) {
            throw new IllegalStateException("the message is gone: its views are valid until it is answered");
        }
        return bytes;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public HttpText name(int index) {
        return view(index, 0);
    }

    @Override
    public HttpText value(int index) {
        return view(index, 1);
    }

    private TextView view(int index, int part) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("field " + index + " of " + count);
        }
        int slot = 2 * index + part;
        if (slot >= views.length) {
            views = Arrays.copyOf(views, Math.max(2 * views.length, slot + 1));
        }
        TextView view = views[slot];
        if (view == null) {
            view = new TextView();
            views[slot] = view;
        }
        int at = index * PLACES + 2 * part;
        return view.show(bytes(), origin + places[at], places[at + 1]);
    }

    int valueStart(int index) {
        return origin + places[index * PLACES + 2];
    }

    int valueLength(int index) {
        return places[index * PLACES + 3];
    }

    boolean nameIs(int index, String name) {
        int at = index * PLACES;
        return HttpChars.isIgnoringCase(bytes(), origin + places[at], places[at + 1], name);
    }

    public void remove(String name) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!nameIs(i, name)) {
                System.arraycopy(places, i * PLACES, places, kept++ * PLACES, PLACES);
            }
        }
        count = kept;
    }

    private int indexOf(String name, int from) {
        for (int i = from; i < count; i++) {
            if (nameIs(i, name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public HttpText first(String name) {
        int index = indexOf(name, 0);
        return index < 0 ? null : view(index, 1);
    }

    @Override
    public boolean contains(String name) {
        return indexOf(name, 0) >= 0;
    }

    @Override
    public boolean hasElement(String name, String element) {
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            if (listHas(valueStart(i), valueStart(i) + valueLength(i), element)) {
                return true;
            }
        }
        return false;
    }

    private boolean listHas(int from, int to, String element) {
        for (int start = from, end; start < to; start = end + 1) {
            end = HttpChars.find(bytes, start, to, ",");
            if (HttpChars.isElement(bytes, start, end, element)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(value(i).toString());
        }
        return values;
    }

    @Override
    public Map<String, List<String>> toMap() {
        Map<String, List<String>> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < count; i++) {
            map.computeIfAbsent(name(i).toString(), unseen -> new ArrayList<>()).add(value(i).toString());
        }
        return map;
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
