package org.cabrank.lf.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** See {@link PoolEvents#promoted}. */
@Name("org.cabrank.Promotion")
@Label("Promotion")
@Description("A leader has passed leadership on, because its handler asked for it or because it left the pool")
@StackTrace
final class PromotionEvent extends PoolEvent {
    @Label("Kind")
    @Description("handler: by promoteNewLeader; leaving: by a leader that left")
    String kind;

    @Label("Promoted Thread")
    @Description("The new leader; none where nobody waited, so that the next thread that comes back leads")
    Thread promoted;
}
