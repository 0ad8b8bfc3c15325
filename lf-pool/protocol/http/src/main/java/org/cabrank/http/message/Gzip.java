package org.cabrank.http.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Recognizes the content coding gzip (RFC 9110 section 8.4.1.3) in fields, and encodes whole bodies. */
public final class Gzip {
    private static final String CODING = "Content-Encoding";

    private Gzip() {}

    /** Returns the codings of the body, as the fields name them. Returns an empty string if there is no coding. */
    public static String coding(HttpFields fields) {
        List<String> codings = fields.all(CODING);
        String named = String.join(", ", codings);
        return named.equalsIgnoreCase("identity") ? "" : named;
    }

    public static boolean is(String coding) {
        return coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip");
    }

    /** Returns true if a client accepts gzip. A weight of 0 refuses a coding (RFC 9110 section 12.5.3). */
    public static boolean isTakenBy(HttpFields request) {
        boolean any = false;
        for (String value : request.all("Accept-Encoding")) {
            for (String element : value.toLowerCase(Locale.ROOT).split(",")) {
                int end = element.indexOf(';'); // no pattern, whose search would take the square of the spaces
                String coding = (end < 0 ? element : element.substring(0, end)).strip();
                boolean refused = end >= 0 && element.substring(end + 1).strip().matches("q\\s*=\\s*0(\\.0*)?");
                if (is(coding)) {
                    return !refused;
                }
                any = coding.equals("*") ? !refused : any;
            }
        }
        return any;
    }

    public static byte[] encode(byte[] body) {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream(body.length / 2 + 64);
        try (GZIPOutputStream out = new GZIPOutputStream(encoded)) {
            out.write(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return encoded.toByteArray();
    }
}
