package org.cabrank.bench.attach;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.management.openmbean.CompositeData;

/** Values of a bean's attributes, by name. Attributes that the bean lacks are left out. */
public record BeanValues(String name, Map<String, Object> attributes) {

    record Participant(String name, String state, long processed) {
        static final String PROCESSING = "PROCESSING";

        boolean isProcessing() {
            return state.equals(PROCESSING);
        }
    }

    private Object required(String attribute) {
        Object value = attributes.get(attribute);
        if (value == null) {
            throw new MissingAttributeException(name, attribute);
        }
        return value;
    }

    long number(String attribute) {
        return ((Number) required(attribute)).longValue();
    }

    boolean flag(String attribute) {
        return (Boolean) required(attribute);
    }

    String text(String attribute) {
        return (String) required(attribute);
    }

    String textOrNull(String attribute) {
        return (String) attributes.get(attribute);
    }

    List<String> texts(String attribute) {
        return List.of((String[]) required(attribute));
    }

    long[] numbers(String attribute) {
        return ((long[]) required(attribute)).clone();
    }

    List<Participant> participants() {
        return Arrays.stream((CompositeData[]) required("Threads"))
                .map(thread -> new Participant(
                        (String) thread.get("name"), (String) thread.get("state"), (Long) thread.get("processed")))
                .toList();
    }
}
