package org.cabrank.lf;

import org.cabrank.lf.failure.FailureLog;
import java.util.List;

/** The followers in a promotion order. Guarded by the lock of {@link Followers}. */
interface Line {

    static Line of(PromotionOrder order, FailureLog failures) {
        if (order instanceof PromotionOrder.Priority priority) {
            return new PriorityLine(priority.comparator(), failures);
        }
        if (order instanceof PromotionOrder.Fifo) {
            return new LinkedLine(LinkedLine.Choice.OLDEST);
        }
        return new LinkedLine(order instanceof PromotionOrder.Any ? LinkedLine.Choice.AWAKE : LinkedLine.Choice.NEWEST);
    }

    void add(Member member);

    void remove(Member member);

    /** Who is to be promoted next; null: nobody waits. */
    Member first();

    /** Whether {@code arrived}, which was added last, has to stand by in the place of who does. */
    boolean overtakesStandby(Member arrived);

    int size();

    List<Member> all();
}
