package org.cabrank.bench.scenario;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Protocol;

/** Number of servers for each protocol, including the control. Not every contender serves every protocol. */
public record Turnout(Map<Protocol, Integer> servers) {

    public Turnout {
        servers = Map.copyOf(servers);
    }

    public static Turnout of(List<Contender> contenders, boolean control) {
        Map<Protocol, Integer> servers = new EnumMap<>(Protocol.class);
        for (Protocol protocol : Protocol.values()) {
            int serving = Math.toIntExact(contenders.stream()
                    .filter(contender -> contender.serves(protocol))
                    .count());
            servers.put(protocol, serving + (control && serving > 0 ? 1 : 0));
        }
        return new Turnout(servers);
    }

    int of(Needs needs) {
        return servers.getOrDefault(needs.protocol(), 0);
    }
}
