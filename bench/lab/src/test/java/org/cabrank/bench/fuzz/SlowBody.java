package org.cabrank.bench.fuzz;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.http.message.HttpLimits;

/** A body of a message by regular expressions, for {@link SlowHttpReader} and {@link SlowResponseReader}. */
final class SlowBody {
    private static final String SPACE = "[\\t ]*";
    private static final String QUOTED = "\"(?:[\\t !#-\\x5b\\x5d-~\\x80-\\xff]|\\x5c[\\t -~\\x80-\\xff])*+\"";
    private static final String VALUE = "(?:" + SlowFields.TOKEN + "|" + QUOTED + ")";
    private static final String EXTENSION =
            SPACE + ";" + SPACE + SlowFields.TOKEN + "(?:" + SPACE + "=" + SPACE + VALUE + ")?";
    private static final Pattern CHUNK =
            Pattern.compile("((?=[0-9A-Fa-f]{1,64}+[^0-9A-Fa-f])0*+[0-9A-Fa-f]{0,15}+)((?:" + EXTENSION + ")*+)\r\n");
    private static final Pattern TRAILERS = Pattern.compile(SlowFields.LINES);
    private static final Pattern FOLDED_TRAILERS = Pattern.compile(SlowFields.FOLDED_LINES);

    private final String input;
    private int at;

    /** @param at place of the first byte of the body */
    SlowBody(String input, int at) {
        this.input = input;
        this.at = at;
    }

    /** The place behind a body that was read. */
    int end() {
        return at;
    }

    /** Returns a body of that length and no trailer fields; null if the input is shorter. */
    String fixed(long length) {
        if (length > input.length() - at) {
            return null;
        }
        String body = input.substring(at, at + (int) length);
        at += (int) length;
        return " " + body + " {}";
    }

    /** Returns the body in chunks and its trailer fields; null if they are malformed, incomplete or too long. @param ofResponse fields may be folded */
    String chunks(boolean ofResponse) {
        StringBuilder body = new StringBuilder();
        int extensions = 0;
        for (; ; ) {
            Matcher size = CHUNK.matcher(input).region(at, input.length());
            if (!size.lookingAt()) {
                return null;
            }
            extensions += size.group(2).length();
            long bytes = Long.parseLong(size.group(1), 16);
            at = size.end();
            if (extensions > HttpLimits.DEFAULT.headBytes() || bytes + body.length() > HttpLimits.DEFAULT.bodyBytes()) {
                return null;
            }
            if (bytes == 0) {
                break;
            }
            int end = at + (int) bytes;
            if (end + 2 > input.length() || !input.startsWith("\r\n", end)) {
                return null;
            }
            body.append(input, at, end);
            at = end + 2;
        }
        Matcher trailers =
                (ofResponse ? FOLDED_TRAILERS : TRAILERS).matcher(input).region(at, input.length());
        if (!trailers.lookingAt() || trailers.end() - at > HttpLimits.DEFAULT.headBytes()) {
            return null;
        }
        at = trailers.end();
        Map<String, List<String>> fields = SlowFields.of(trailers.group(1));
        return SlowFields.count(fields) > HttpLimits.DEFAULT.fields() ? null : " " + body + " " + fields;
    }
}
