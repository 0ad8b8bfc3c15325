package org.cabrank.bench.serve;

import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.lf.observe.BeanRegistration;
import org.cabrank.lf.observe.Figures;

/** JMX attributes of a server that only the command knows, beside its pools and shards. */
public record ServerBean(String protocol, RequestCounter requests) {
    /** Of HTTP, the requests that were sent; of echo, what is read at once counts as one. */
    private static final Figures<ServerBean> FIGURES = new Figures<ServerBean>("")
            .state("Protocol", String.class, "Protocol of the server", ServerBean::protocol)
            .counter(
                    "Requests",
                    "Requests since the start",
                    bean -> bean.requests().total());

    /**
     * Shows it until the process ends, which has one server.
     *
     * @param name that of its reactor
     */
    public void show(String name) {
        BeanRegistration.register(this, FIGURES, "Server", name);
    }
}
