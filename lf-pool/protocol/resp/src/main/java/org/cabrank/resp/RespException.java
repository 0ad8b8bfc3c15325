package org.cabrank.resp;

import java.io.IOException;

/** The bytes of a peer are no RESP, or exceed a limit. The stream has no further commands or replies. */
public final class RespException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message the reason, in the wording of Redis where Redis has one: {@code invalid bulk length} */
    public RespException(String message) {
        super(message);
    }
}
