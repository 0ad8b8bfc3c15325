package org.cabrank.bench.rival;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;

/** A contender whose framework is compiled for JDK 21. Its server is loaded by name, because some builds do not contain it. */
abstract class LaterRival extends Rival {

    private static final int SINCE = 21;
    private static final String PACKAGE = "since21.";

    private final String starter;

    /** @param starter name of the {@link ServerStarter} in the package {@code since21} */
    LaterRival(String name, String framework, Set<Protocol> protocols, String starter, String... tuning) {
        super(name, framework, protocols, tuning);
        this.starter = LaterRival.class.getPackageName() + "." + PACKAGE + starter;
    }

    @Override
    public final List<Path> libraries() throws ContenderUnavailableException {
        throwUnlessItCanRun();
        return super.libraries();
    }

    @Override
    public final RunningServer start(ServerSettings settings) throws IOException {
        throwUnlessItCanRun();
        try {
            return ((ServerStarter) Class.forName(starter).getConstructor().newInstance()).start(settings);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void throwUnlessItCanRun() throws ContenderUnavailableException {
        int feature = Runtime.version().feature();
        if (feature < SINCE) {
            throw new ContenderUnavailableException(
                    name() + " needs JDK " + SINCE + " or later, and this is " + feature);
        }
        if (getClass().getResource("/" + starter.replace('.', '/') + ".class") == null) {
            throw new ContenderUnavailableException("this build, for JNA alone, is without " + name()
                    + ": build with JDK 22 or later, without -DjnaOnly");
        }
    }
}
