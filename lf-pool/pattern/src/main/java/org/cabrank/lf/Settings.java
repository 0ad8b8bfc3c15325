package org.cabrank.lf;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Copies of settings with one component changed: the one implementation of {@code with} methods, for the modules of Cabrank. */
public final class Settings {
    private Settings() {}

    /**
     * Returns a copy of {@code settings}, a public record of an exported package. Throws what its canonical constructor throws.
     *
     * @param component name of the changed component
     */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R with(R settings, String component, Object changed) {
        RecordComponent[] components = settings.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        boolean found = false;
        try {
            for (int i = 0; i < values.length; i++) {
                boolean same = components[i].getName().equals(component);
                values[i] = same ? changed : components[i].getAccessor().invoke(settings);
                found |= same;
            }
            if (!found) {
                throw new IllegalArgumentException(settings.getClass().getName() + " has no component " + component);
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
