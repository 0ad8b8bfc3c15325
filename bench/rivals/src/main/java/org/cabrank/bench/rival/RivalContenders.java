package org.cabrank.bench.rival;

import java.util.List;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderProvider;

/** The contenders of this module. */
public final class RivalContenders implements ContenderProvider {

    @Override
    public List<Contender> contenders() {
        return List.of(
                new GrizzlyContender(),
                new JettyContender(),
                new VertxContender(),
                new HelidonContender(),
                new UndertowContender(),
                HttpServerContender.jdk(),
                HttpServerContender.jdkWithPool(),
                HttpServerContender.jdkWithVirtualThreads(),
                HttpServerContender.jetty(),
                HttpServerContender.robaho(),
                HttpServerContender.cabrank());
    }
}
