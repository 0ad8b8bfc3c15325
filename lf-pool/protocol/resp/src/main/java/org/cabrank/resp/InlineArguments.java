package org.cabrank.resp;

import java.nio.ByteBuffer;

/**
 * Arguments of an inline command: words with spaces between them. A word may have quoted parts, as in Redis: in double quotes the
 * escapes {@code \n \r \t \b \a \" \\ \xHH} stand for one byte, in single quotes {@code \'} alone does.
 */
final class InlineArguments {
    private final ByteBuffer line;
    private final int end;
    private final byte[] content;
    private int at;
    private int used;

    private InlineArguments(ByteBuffer line, int end) {
        this.line = line;
        this.at = line.position();
        this.end = end;
        this.content = new byte[end - at];
    }

    /**
     * Adds the arguments of the line from the position of {@code bytes}, which is unchanged, to an offset. Words without quotes are
     * views; a line with quotes allocates.
     */
    static void split(ByteBuffer bytes, int offset, RespCommand into) throws RespException {
        int from = bytes.position();
        int end = from + offset;
        int at = from;
        while (true) {
            while (at < end && isSpace(bytes.get(at))) {
                at++;
            }
            int start = at;
            while (at < end && !isSpace(bytes.get(at))) {
                byte character = bytes.get(at);
                if (character == '"' || character == '\'') {
                    into.clear();
                    new InlineArguments(bytes, end).splitQuoted(into);
                    return;
                }
                at++;
            }
            if (at == start) {
                into.show(bytes, from);
                return;
            }
            into.add(start - from, at - start);
        }
    }

    private static boolean isSpace(byte character) {
        return character == ' ' || character >= '\t' && character <= '\r';
    }

    private void splitQuoted(RespCommand into) throws RespException {
        while (true) {
            while (at < end && isSpace(line.get(at))) {
                at++;
            }
            if (at == end) {
                into.show(ByteBuffer.wrap(content), 0);
                return;
            }
            int start = used;
            while (at < end && !isSpace(line.get(at))) {
                byte character = line.get(at++);
                if (character == '"' || character == '\'') {
                    quoted(character);
                } else {
                    content[used++] = character;
                }
            }
            into.add(start, used - start);
        }
    }

    /** Reads to the closing quote, behind which a word ends. */
    private void quoted(byte quote) throws RespException {
        while (at < end) {
            byte character = line.get(at++);
            if (character == quote) {
                if (at < end && !isSpace(line.get(at))) {
                    break;
                }
                return;
            }
            content[used++] = character == '\\' && at < end ? escaped(quote) : character;
        }
        throw new RespException("unbalanced quotes in request");
    }

    /** Returns the byte that a backslash and the next bytes stand for. */
    private byte escaped(byte quote) {
        byte character = line.get(at);
        if (quote == '\'') {
            if (character != '\'') {
                return '\\';
            }
            at++;
            return character;
        }
        at++;
        if (character == 'x' && at + 2 <= end) {
            int high = Character.digit(line.get(at), 16);
            int low = Character.digit(line.get(at + 1), 16);
            if (high >= 0 && low >= 0) {
                at += 2;
                return (byte) (high << 4 | low);
            }
        }
        return switch (character) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> character;
        };
    }
}
