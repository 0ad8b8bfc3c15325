package org.cabrank.lf.settings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Copies settings with some components changed. All {@code with} methods in the modules of Cabrank use this class. */
public final class Settings {
    private Settings() {}

    /** Returns a copy of a public record of an exported package with one component changed. Throws like the record's constructor. */
    public static <R extends Record> R with(R settings, String component, Object changed) {
        return with(settings, Collections.singletonMap(component, changed));
    }

    /** Like {@link #with(Record, String, Object)}, but changes several components. The keys are the names of the components. */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R with(R settings, Map<String, ?> changes) {
        RecordComponent[] components = settings.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        Set<String> unknown = new HashSet<>(changes.keySet());
        try {
            for (int i = 0; i < values.length; i++) {
                String name = components[i].getName();
                values[i] = unknown.remove(name)
                        ? changes.get(name)
                        : components[i].getAccessor().invoke(settings);
            }
            if (!unknown.isEmpty()) {
                throw new IllegalArgumentException(settings.getClass().getName() + " has no component " + unknown);
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
            return (R) settings.getClass().getConstructor(types).newInstance(values);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof RuntimeException invalid) {
                throw invalid;
            }
            throw new IllegalStateException(refused.getCause());
        } catch (ReflectiveOperationException inaccessible) {
            throw new IllegalStateException(settings + " cannot be copied", inaccessible);
        }
    }
}
