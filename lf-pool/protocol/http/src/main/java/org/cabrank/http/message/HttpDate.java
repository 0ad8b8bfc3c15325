package org.cabrank.http.message;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;

/** Dates in the format of HTTP (RFC 9110 section 5.6.7): {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
public final class HttpDate {

    private static final int NAME_CHARS = 3;

    private static final EverySecond<byte[]> FIELD_LINE =
            new EverySecond<>(second -> ("Date: " + format(second) + "\r\n").getBytes(StandardCharsets.US_ASCII));

    private HttpDate() {}

    /** Returns the field line {@code Date} of this second, with CR LF. The array is shared and must not be changed. */
    public static byte[] fieldLine() {
        return FIELD_LINE.current();
    }

    /** Formats without DateTimeFormatter, whose loading takes longer than the start of the server. */
    public static String format(long epochSecond) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(32);
        text.append(capitalized(time.getDayOfWeek().name())).append(", ");
        twoDigits(text, time.getDayOfMonth()).append(' ');
        text.append(capitalized(time.getMonth().name()))
                .append(' ')
                .append(time.getYear())
                .append(' ');
        twoDigits(text, time.getHour()).append(':');
        twoDigits(text, time.getMinute()).append(':');
        return twoDigits(text, time.getSecond()).append(" GMT").toString();
    }

    private static String capitalized(String name) {
        return name.charAt(0) + name.substring(1, NAME_CHARS).toLowerCase(Locale.ROOT);
    }

    private static StringBuilder twoDigits(StringBuilder text, int value) {
        return text.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
    }
}
