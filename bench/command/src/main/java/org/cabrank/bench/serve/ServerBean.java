package org.cabrank.bench.serve;

import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.lf.figures.Beans;
import org.cabrank.lf.figures.Figures;

/** JMX attributes that only the command knows. */
public record ServerBean(String protocol, RequestCounter requests) {
    /** For echo, the bytes of one read count as one request. */
    private static final Figures<ServerBean> FIGURES = new Figures<ServerBean>("")
            .state("Protocol", String.class, "Protocol of the server", ServerBean::protocol)
            .counter(
                    "Requests",
                    "Requests since the start",
                    bean -> bean.requests().total());

    /** Registers the bean until the process ends. {@code name} is the name of the reactor. */
    public void show(String name) {
        Beans.register(this, FIGURES, "Server", name);
    }
}
