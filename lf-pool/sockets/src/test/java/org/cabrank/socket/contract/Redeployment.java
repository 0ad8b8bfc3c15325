package org.cabrank.socket.contract;

import java.io.File;
import java.io.OutputStream;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;

/**
 * Program of a process of its own: loads the library and a service in a class loader, runs the service, closes it, and prints
 * "collected" when the class loader is gone.
 */
public final class Redeployment {
    private static final long LOOK_MS = 100;

    private Redeployment() {}

    /** Serves one client and ends. Loaded by the class loader that is to be collected. */
    public static final class Service implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            try (StreamServer server = StreamServer.builder()
                            .listen("127.0.0.1", 0)
                            .backend(Backend.named(System.getProperty("redeployed.backend")))
                            .threadsPerShard(Integer.getInteger("redeployed.threads"))
                            .jmx(true)
                            .handler(() -> (connection, data) -> connection.write(data))
                            .start();
                    Socket client = connect((InetSocketAddress) server.localAddress())) {
                OutputStream output = client.getOutputStream();
                output.write('x');
                return client.getInputStream().read();
            }
        }

        private static Socket connect(InetSocketAddress address) throws Exception {
            return new Socket(address.getAddress(), address.getPort());
        }
    }

    private static Reference<ClassLoader> deploy(ReferenceQueue<ClassLoader> gone) throws Exception {
        List<URL> classes = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classes.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader loader =
                new URLClassLoader(classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> service = loader.loadClass(Service.class.getName());
            Object answer = ((Callable<?>) service.getConstructor().newInstance()).call();
            if (!answer.equals((int) 'x')) {
                throw new IllegalStateException("the service has answered " + answer);
            }
            return new WeakReference<>(loader, gone);
        } finally {
            Thread.currentThread().setContextClassLoader(null);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
        Reference<ClassLoader> deployed = deploy(gone);
        Await.until("the class loader is collected", () -> isGone(gone));
        System.out.println(deployed.refersTo(null) ? "collected" : "kept");
    }

    private static boolean isGone(ReferenceQueue<ClassLoader> gone) {
        System.gc();
        try {
            return gone.remove(LOOK_MS) != null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
