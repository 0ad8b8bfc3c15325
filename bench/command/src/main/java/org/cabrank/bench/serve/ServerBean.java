package org.cabrank.bench.serve;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.bench.handler.RequestCounter;

/** JMX attributes of a server that only the command knows. */
public record ServerBean(String protocol, RequestCounter requests) implements ServerMXBean {
    @Override
    public String getProtocol() {
        return protocol;
    }

    @Override
    public long getRequests() {
        return requests.total();
    }

    /**
     * Shows it until the process ends, which has one server.
     *
     * @param name that of its reactor
     */
    public void show(String name) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(this, new ObjectName("org.cabrank:type=Server,name=" + name));
        } catch (JMException refused) {
            throw new IllegalStateException("JMX does not take the server's bean: " + refused.getMessage(), refused);
        }
    }
}
