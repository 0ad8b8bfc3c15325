package org.cabrank.stream.transport;

/** The kind of socket that an option is set on. */
public enum OptionPlace {
    LISTENER("a listener"),
    ACCEPTED("an accepted socket"),
    CONNECTING("a socket before it connects"),
    CONNECTED("an open connection"),
    DATAGRAM("a datagram socket");

    private final String noun;

    OptionPlace(String noun) {
        this.noun = noun;
    }

    public String noun() {
        return noun;
    }
}
