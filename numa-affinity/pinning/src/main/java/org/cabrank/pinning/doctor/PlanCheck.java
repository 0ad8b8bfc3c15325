package org.cabrank.pinning.doctor;

import org.cabrank.affinity.placement.PlacementPlan;

/** Compares a placement with the request, and passes on the warnings of the plan. */
final class PlanCheck implements Check {
    private static final String ID = "placement";
    private static final String SUBJECT = "placement";

    @Override
    public Finding look(CheckContext context) {
        PlacementPlan plan = context.plan();
        if (plan == null) {
            return Finding.ok(ID, SUBJECT, "none is given: nothing is pinned");
        }
        if (plan.warnings().isEmpty()) {
            return Finding.ok(ID, SUBJECT, plan.summary().replaceFirst("^placement ", ""));
        }
        return plan.compromised()
                ? new Finding(
                        ID,
                        Severity.PROBLEM,
                        SUBJECT,
                        String.join("; ", plan.warnings()),
                        "shards are not where they were meant to be; with --strict-placement a server refuses to start",
                        "'cabrank topology --placement " + plan.placement() + "' shows what comes of it")
                : Finding.warning(
                        ID,
                        SUBJECT,
                        String.join("; ", plan.warnings()),
                        "every shard is placed as asked for, and may be slower than expected",
                        "'cabrank topology --placement " + plan.placement() + "' shows each shard with the reason");
    }
}
