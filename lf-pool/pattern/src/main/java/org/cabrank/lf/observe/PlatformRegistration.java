package org.cabrank.lf.observe;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

/** A bean on the platform's MBean server. Loaded only where there is JMX. */
final class PlatformRegistration {
    /** Named bound: beans of one name. */
    private static final int INSTANCES_MAX = 1 << 16;

    private static final System.Logger LOGGER = System.getLogger(PoolManagement.class.getName());

    /** Characters that would end a value, or make a pattern of it. */
    private static final String SPECIAL = ",=:\"*?\n";

    private final ObjectName objectName;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PlatformRegistration(ObjectName objectName) {
        this.objectName = objectName;
    }

    /**
     * @param bean of an interface whose name ends with MXBean
     * @param type the key of that name
     * @param shardKey a further key with its value, or nothing
     */
    static PlatformRegistration of(Object bean, String type, String name, String shardKey) {
        String base = "org.cabrank:type=" + type + ",name=" + quotedIfNeeded(name) + shardKey;
        try {
            for (int instance = 1; instance <= INSTANCES_MAX; instance++) {
                ObjectName free = new ObjectName(instance == 1 ? base : base + ",instance=" + instance);
                if (register(bean, free)) {
                    return new PlatformRegistration(free);
                }
            }
        } catch (JMException refused) {
            throw new IllegalStateException("JMX does not take " + base + ": " + refused.getMessage(), refused);
        }
        throw new IllegalStateException("JMX has " + INSTANCES_MAX + " beans of the name " + base + " already");
    }

    /**
     * Registers one of several beans of the same type and name, which differ in a further key.
     *
     * @param value any text
     */
    static PlatformRegistration ofPart(Object bean, String type, String name, String key, String value) {
        return of(bean, type, name, "," + key + "=" + quotedIfNeeded(value));
    }

    private static boolean register(Object bean, ObjectName name) throws JMException {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return true;
        } catch (InstanceAlreadyExistsException taken) {
            LOGGER.log(System.Logger.Level.DEBUG, name + " is taken; another instance number follows");
            return false;
        }
    }

    private static String quotedIfNeeded(String value) {
        boolean plain = !value.isEmpty() && value.chars().allMatch(c -> SPECIAL.indexOf(c) < 0);
        return plain ? value : ObjectName.quote(value);
    }

    String objectName() {
        return objectName.toString();
    }

    void close() {
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
}
