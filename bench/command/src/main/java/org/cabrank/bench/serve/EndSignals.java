package org.cabrank.bench.serve;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Ends a server with exit status 0 after SIGTERM or SIGINT. A second signal ends the process at once. A shutdown hook cannot set the exit
 * status without cutting off the other hooks, and the JVM ignores a second signal while hooks run. So this class uses
 * {@code sun.misc.Signal} (JEP 260). It uses reflection, because the compiler's warning cannot be switched off.
 */
public final class EndSignals {

    private static final String[] ENDING = {"TERM", "INT"};
    private static final int EXIT_STATUS_BASE = 128;

    /** Maximum time to wait for standard error, which may be a full pipe that nobody reads. */
    private static final long SAY_MS_MAX = 1_000;

    private final Runnable end;
    private volatile Runnable beforeHalt = () -> {};
    private volatile boolean ending;

    private EndSignals(Runnable end) {
        this.end = end;
    }

    /** The first signal runs {@code end} on a new thread. The second signal ends the process. */
    public static EndSignals onEnd(Runnable end) {
        EndSignals signals = new EndSignals(end);
        for (String name : ENDING) {
            handle(name, signals::received);
        }
        return signals;
    }

    /** Runs {@code action} on a new thread for each signal. Returns false under -Xrs, or if the process ignores the signal (nohup). */
    public static boolean on(String name, Runnable action) {
        Handled handled = handle(name, signal -> action.run());
        return handled != null && !handled.wasIgnored();
    }

    /** Handler of a signal. {@link #close} restores the previous handler. */
    public interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Runs {@code action} for each signal instead of ending the process. Has no effect on an ignored signal, or under -Xrs. */
    public static Watch watch(String name, Runnable action) {
        Handled handled = handle(name, signal -> action.run());
        return handled == null ? () -> {} : handled::restore;
    }

    /** Returns true if the first signal has arrived. */
    public boolean begun() {
        return ending;
    }

    /** Sets an action that runs when a second signal ends the process. Shutdown hooks do not run in this case. */
    public void beforeHalt(Runnable action) {
        beforeHalt = action;
    }

    private interface Action {
        void run(Object signal) throws ReflectiveOperationException;
    }

    /** Sets a handler. The JVM keeps ignoring a signal that the process ignores. Returns null under -Xrs. */
    private static Handled handle(String name, Action action) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Method handle = signalType.getMethod("handle", signalType, handlerType);
            Object handler = Proxy.newProxyInstance(
                    EndSignals.class.getClassLoader(), new Class<?>[] {handlerType}, new Handler(action));
            Object signal = signalType.getConstructor(String.class).newInstance(name);
            Object before = handle.invoke(null, signal, handler);
            return new Handled(
                    handle, signal, before, handlerType.getField("SIG_IGN").get(null));
        } catch (InvocationTargetException refused) {
            if (!(refused.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("cannot watch for signals", refused);
            }
            return null;
        } catch (ReflectiveOperationException otherJvm) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal", otherJvm);
        }
    }

    private record Handled(Method handle, Object signal, Object before, Object ignore) {
        boolean wasIgnored() {
            return before == ignore;
        }

        void restore() {
            try {
                handle.invoke(null, signal, before);
            } catch (ReflectiveOperationException refused) {
                throw new IllegalStateException("cannot restore the action of a signal", refused);
            }
        }
    }

    private void received(Object signal) throws ReflectiveOperationException {
        if (!begin()) {
            beforeHalt.run();
            say("ended at once, as the second signal asks: requests under way are lost");
            int number = (int) signal.getClass().getMethod("getNumber").invoke(signal);
            Runtime.getRuntime().halt(EXIT_STATUS_BASE + number);
        }
        end.run();
    }

    private synchronized boolean begin() {
        if (ending) {
            return false;
        }
        ending = true;
        say("ending: what was received is answered first; a second signal ends at once");
        return true;
    }

    private static void say(String words) {
        Thread speaker = new Thread(() -> System.err.println(words), "cabrank-end");
        speaker.setDaemon(true);
        speaker.start();
        try {
            speaker.join(SAY_MS_MAX);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Handler implements InvocationHandler {
        private final Action action;

        Handler(Action action) {
            this.action = action;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "handle":
                    action.run(arguments[0]);
                    return null;
                case "equals":
                    return proxy == arguments[0];
                case "hashCode":
                    return System.identityHashCode(proxy);
                default:
                    return "Signals";
            }
        }
    }
}
