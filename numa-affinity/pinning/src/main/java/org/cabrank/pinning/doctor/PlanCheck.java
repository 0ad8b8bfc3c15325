package org.cabrank.pinning.doctor;

import org.cabrank.affinity.placement.PlacementPlan;

/** Compares a placement with the request, and passes on the warnings of the plan. */
final class PlanCheck {

    private PlanCheck() {}

    static Finding look(Check check, CheckContext context) {
        PlacementPlan plan = context.plan();
        if (plan == null) {
            return check.ok("none is given: nothing is pinned");
        }
        if (plan.warnings().isEmpty()) {
            return check.ok(plan.summary().replaceFirst("^placement ", ""));
        }
        return plan.compromised()
                ? check.finding(
                        Severity.PROBLEM,
                        String.join("; ", plan.warnings()),
                        "shards are not where they were meant to be; with --strict-placement a server refuses to start",
                        "'cabrank topology --placement " + plan.placement() + "' shows what comes of it")
                : check.warning(
                        String.join("; ", plan.warnings()),
                        "every shard is placed as asked for, and may be slower than expected",
                        "'cabrank topology --placement " + plan.placement() + "' shows each shard with the reason");
    }
}
