package org.cabrank.lf.figures;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.cabrank.lf.observe.BeanRegistration;

/** A bean of the platform's MBean server, with a read-only attribute for each figure. Loaded only if there is JMX. */
final class PlatformBean<T> implements DynamicMBean, BeanRegistration {
    private static final int INSTANCES_MAX = 1 << 16;

    private static final System.Logger LOGGER = System.getLogger(BeanRegistration.class.getName());

    /** Characters that would end a value in a name, or make the name a pattern. */
    private static final String SPECIAL = ",=:\"*?\n";

    private final T source;
    private final Map<String, NamedFigure<T>> figures = new LinkedHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ObjectName objectName;

    /** {@code keys} has pairs of a key and a value for the bean's name. The key of the first pair is {@code type}. */
    PlatformBean(T source, Figures<T> figures, String... keys) {
        this.source = source;
        figures.all().forEach(figure -> this.figures.put(figure.name(), figure));
        StringBuilder base = new StringBuilder("org.cabrank:");
        for (int i = 0; i < keys.length; i += 2) {
            base.append(i == 0 ? "" : ",").append(keys[i]).append('=').append(quotedIfNeeded(keys[i + 1]));
        }
        this.objectName = register(base.toString());
    }

    private static String quotedIfNeeded(String value) {
        boolean plain = !value.isEmpty() && value.chars().allMatch(c -> SPECIAL.indexOf(c) < 0);
        return plain ? value : ObjectName.quote(value);
    }

    private ObjectName register(String base) {
        try {
            for (int instance = 1; instance <= INSTANCES_MAX; instance++) {
                ObjectName free = new ObjectName(instance == 1 ? base : base + ",instance=" + instance);
                try {
                    ManagementFactory.getPlatformMBeanServer().registerMBean(this, free);
                    return free;
                } catch (InstanceAlreadyExistsException taken) {
                    LOGGER.log(System.Logger.Level.DEBUG, free + " is taken; another instance number follows");
                }
            }
        } catch (JMException refused) {
            throw new IllegalStateException("JMX does not take " + base + ": " + refused.getMessage(), refused);
        }
        throw new IllegalStateException("JMX has " + INSTANCES_MAX + " beans of the name " + base + " already");
    }

    @Override
    public String objectName() {
        return objectName.toString();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(objectName);
        } catch (InstanceNotFoundException gone) {
            LOGGER.log(System.Logger.Level.DEBUG, objectName + " has been taken off by somebody else", gone);
        } catch (JMException refused) {
            throw new IllegalStateException("JMX keeps " + objectName + ": " + refused.getMessage(), refused);
        }
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = figures.values().stream()
                .map(figure -> new MBeanAttributeInfo(
                        figure.name(), type(figure).getName(), figure.help(), true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(source.getClass().getName(), "figures of Cabrank", attributes, null, null, null);
    }

    private static Class<?> type(NamedFigure<?> figure) {
        return figure.type() == Map[].class ? CompositeData[].class : figure.type();
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        NamedFigure<T> figure = figures.get(name);
        if (figure == null) {
            throw new AttributeNotFoundException(objectName + " has no attribute " + name);
        }
        Object value = figure.read().apply(source);
        return value instanceof Map<?, ?>[] rows
                ? Arrays.stream(rows).map(PlatformBean::composite).toArray(CompositeData[]::new)
                : value;
    }

    private static CompositeData composite(Map<?, ?> row) {
        String[] names = row.keySet().toArray(String[]::new);
        Object[] values = row.values().toArray();
        OpenType<?>[] types = Arrays.stream(values).map(PlatformBean::openType).toArray(OpenType[]::new);
        try {
            return new CompositeDataSupport(new CompositeType("Row", "a row", names, names, types), names, values);
        } catch (OpenDataException invalid) {
            throw new IllegalStateException("a row that JMX does not take: " + row, invalid);
        }
    }

    private static OpenType<?> openType(Object value) {
        return value instanceof Long
                ? SimpleType.LONG
                : value instanceof Integer
                        ? SimpleType.INTEGER
                        : value instanceof Boolean ? SimpleType.BOOLEAN : SimpleType.STRING;
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        AttributeList values = new AttributeList();
        for (String name : names) {
            try {
                values.add(new Attribute(name, getAttribute(name)));
            } catch (AttributeNotFoundException absent) {
                LOGGER.log(System.Logger.Level.DEBUG, absent.getMessage()); // left out, as the interface says
            }
        }
        return values;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(attribute.getName() + " cannot be set");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String operation, Object[] arguments, String[] signature) throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(operation));
    }
}
