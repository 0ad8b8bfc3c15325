package org.cabrank.bench.attach;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads the beans of another JVM. Starts its management agent on the loopback interface, and leaves it running. Used by one thread. */
public final class AttachedServer implements AutoCloseable {
    private static final Path PROCFS = Path.of("/proc");

    private static final String DOMAIN = "org.cabrank";

    private static final String PATTERN = "org.cabrank.lf.";

    private static final int STACK_DEPTH_MAX = 64;

    private final long pid;
    private final JMXConnector connector;
    private final MBeanServerConnection connection;

    private final Map<String, Long> ids = new HashMap<>();

    private AttachedServer(long pid, JMXConnector connector) throws IOException {
        this.pid = pid;
        this.connector = connector;
        connection = connector.getMBeanServerConnection();
    }

    public static AttachedServer attach(long pid) throws IOException {
        new AttachTarget(PROCFS, pid).check();
        AttachedServer server =
                new AttachedServer(pid, JMXConnectorFactory.connect(new JMXServiceURL(startAgent(pid))));
        try {
            server.requireBeans();
            return server;
        } catch (IOException refused) {
            server.close();
            throw refused;
        }
    }

    private static String startAgent(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | IOException refused) {
            throw new IOException(
                    "JVM " + pid + " does not let tools attach: "
                            + String.valueOf(refused.getMessage()).strip()
                            + "; start the server without -XX:+DisableAttachMechanism, and this command with the same /tmp"
                            + " as the server",
                    refused);
        }
    }

    private void requireBeans() throws IOException {
        if (!names("Pool").isEmpty()) {
            return;
        }
        throw new IOException(
                runsCabrank()
                        ? "process " + pid
                                + " runs Cabrank, but shows no pools over JMX: start it with serve --jmx, or with"
                                + " jmx(true) of its builder"
                        : "JVM " + pid + " does not run Cabrank: look for the server with jps -l");
    }

    /** Returns true if a thread of the JVM is a leader or a follower. */
    private boolean runsCabrank() throws IOException {
        return Arrays.stream(threads().dumpAllThreads(false, false))
                .flatMap(thread -> Arrays.stream(thread.getStackTrace()))
                .anyMatch(frame -> frame.getClassName().startsWith(PATTERN));
    }

    private ThreadMXBean threads() throws IOException {
        return ManagementFactory.newPlatformMXBeanProxy(
                connection, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    }

    private Iterable<ObjectName> sorted(String type) throws IOException {
        return new TreeSet<>(names(type));
    }

    private Set<ObjectName> names(String type) throws IOException {
        return connection.queryNames(pattern(type), null);
    }

    private static ObjectName pattern(String type) {
        try {
            return new ObjectName(DOMAIN + ":type=" + type + ",*");
        } catch (JMException invalid) {
            throw new IllegalArgumentException(type, invalid);
        }
    }

    public ServerBeans read() throws IOException {
        return new ServerBeans(System.nanoTime(), beans("Pool"), beans("Shard"), beans("Reactor"), beans("Tls"));
    }

    /** Returns the threads of each pool, by the name of the pool. */
    Map<String, List<BeanValues.Participant>> participants() throws IOException {
        Map<String, List<BeanValues.Participant>> found = new HashMap<>();
        for (ObjectName name : sorted("Pool")) {
            BeanValues pool = bean(name, "Name", "Threads");
            if (pool != null) {
                found.put(pool.text("Name"), pool.participants());
            }
        }
        return found;
    }

    private List<BeanValues> beans(String type) throws IOException {
        List<BeanValues> beans = new ArrayList<>();
        for (ObjectName name : sorted(type)) {
            BeanValues bean = bean(name);
            if (bean != null) {
                beans.add(bean);
            }
        }
        return beans;
    }

    /** Reads {@code attributes} of a bean. If none are given, reads all attributes. Returns null if the bean is no longer registered. */
    private BeanValues bean(ObjectName name, String... attributes) throws IOException {
        try {
            String[] wanted = attributes.length > 0
                    ? attributes
                    : Arrays.stream(connection.getMBeanInfo(name).getAttributes())
                            .map(MBeanAttributeInfo::getName)
                            .toArray(String[]::new);
            Map<String, Object> values = new HashMap<>();
            for (Attribute attribute : connection.getAttributes(name, wanted).asList()) {
                values.put(attribute.getName(), attribute.getValue());
            }
            return new BeanValues(name.toString(), values);
        } catch (JMException gone) {
            return null;
        }
    }

    Optional<StackTraceElement[]> stack(String thread) throws IOException {
        ThreadMXBean threads = threads();
        if (!ids.containsKey(thread)) {
            for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
                if (info != null) {
                    ids.put(info.getThreadName(), info.getThreadId());
                }
            }
        }
        Long id = ids.get(thread);
        ThreadInfo info = id == null ? null : threads.getThreadInfo(id, STACK_DEPTH_MAX);
        if (info == null) {
            ids.remove(thread); // the name may now belong to a new thread
            return Optional.empty();
        }
        return Optional.of(info.getStackTrace());
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
