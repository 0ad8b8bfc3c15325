package org.cabrank.http.message;

import org.cabrank.stream.StreamLimits;

/**
 * Limits of the size of a message that a peer sends.
 *
 * @param headBytes bytes of the start line and the fields together. Also limits the trailer fields of a chunked body. From 64 to 1 MiB, and
 *     less than the {@linkplain StreamLimits#unreadLimit unread limit} of the connection. A request with a longer head is answered with
 *     status 431. If its target does not end within the limit, the status is 414
 * @param targetBytes bytes of the target of a request, from 1; a longer target is answered with status 414
 * @param fields number of field lines, from 1. A request with more lines is answered with status 431
 * @param bodyBytes bytes of a body, without the lines of chunks, from 0; a longer body is answered with status 413
 */
public record HttpLimits(int headBytes, int targetBytes, int fields, long bodyBytes) {
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** The default: 8 KiB for a head and for a target, 100 fields, 1 MiB for a body. */
    public static final HttpLimits DEFAULT = new HttpLimits(8 << 10, 8 << 10, 100, 1 << 20);

    private static final int HEAD_MIN = 64;
    private static final int HEAD_MAX = 1 << 20;

    public HttpLimits {
        if (headBytes < HEAD_MIN || headBytes > HEAD_MAX) {
            throw new IllegalArgumentException(
                    "a head may have from " + HEAD_MIN + " to " + HEAD_MAX + " bytes, but headBytes is " + headBytes);
        }
        if (targetBytes < 1 || fields < 1 || bodyBytes < 0) {
            throw new IllegalArgumentException(
                    "targetBytes and fields must be at least 1, bodyBytes at least 0, but are " + targetBytes + ", "
                            + fields + " and " + bodyBytes);
        }
    }

    /** @throws IllegalArgumentException if {@code headBytes} is not below the unread limit; the message names the remedy */
    public void requireFit(StreamLimits ofConnection) {
        int unreadLimit = ofConnection.unreadLimit();
        if (unreadLimit <= headBytes) {
            throw new IllegalArgumentException(
                    "heads of up to " + headBytes + " bytes do not fit into the " + unreadLimit
                            + " bytes that a connection keeps: raise StreamLimits.unreadLimit above " + headBytes
                            + ", or lower headBytes");
        }
    }

    public HttpLimits withHeadBytes(int changed) {
        return new HttpLimits(changed, targetBytes, fields, bodyBytes);
    }

    public HttpLimits withTargetBytes(int changed) {
        return new HttpLimits(headBytes, changed, fields, bodyBytes);
    }

    public HttpLimits withFields(int changed) {
        return new HttpLimits(headBytes, targetBytes, changed, bodyBytes);
    }

    public HttpLimits withBodyBytes(long changed) {
        return new HttpLimits(headBytes, targetBytes, fields, changed);
    }
}
