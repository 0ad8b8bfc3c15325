package org.cabrank.lf.jfr;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** See {@link PoolEvents#promotedEagerly}. */
@Name("org.cabrank.EagerPromotion")
@Label("Eager Promotion")
@Description(
        "A leader under eager promotion has passed leadership on before it processes an event: once for each event")
@Enabled(false)
final class EagerPromotionEvent extends PoolEvent {
    /** Instance that tells if the event is recorded at this moment, like {@link SlowHandlerEvent#PROBE}. */
    static final EagerPromotionEvent PROBE = new EagerPromotionEvent();

    @Label("Promoted Thread")
    @Description("The new leader; none where nobody waited, so that the next thread that comes back leads")
    Thread promoted;
}
