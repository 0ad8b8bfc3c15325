package org.cabrank.bench.text;

/** Colours of a terminal (ECMA-48, SGR). The text is complete without them. */
public record Colours(boolean shown) {
    private static final String ESCAPE = "\u001b[";

    /** Green, yellow, blue, magenta, cyan and red. They are legible on a dark and on a light background. */
    private static final int[] SHARDS = {32, 33, 34, 35, 36, 31};

    /** Returns colours if standard output is a terminal, unless NO_COLOR is set or TERM is "dumb". */
    public static Colours ofStandardOutput() {
        return new Colours(System.getenv("NO_COLOR") == null
                && !"dumb".equals(System.getenv("TERM"))
                && StandardStream.OUTPUT.terminal().isPresent());
    }

    public String shard(int shard, String text) {
        return code("1;" + SHARDS[shard % SHARDS.length], text);
    }

    public String dim(String text) {
        return code("2", text);
    }

    public String strong(String text) {
        return code("1", text);
    }

    public String alarm(String text) {
        return code("1;31", text);
    }

    public String caution(String text) {
        return code("1;33", text);
    }

    public String calm(String text) {
        return code("32", text);
    }

    private String code(String code, String text) {
        return shown ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
    }
}
