package org.cabrank.bench.doctor;

import org.cabrank.affinity.placement.PlacementPlan;

/** Whether a placement can be had as it was asked for. */
final class PlanCheck implements Check {
    private static final String ID = "placement";
    private static final String SUBJECT = "placement";

    @Override
    public Finding look(Patient patient) {
        PlacementPlan plan = patient.plan();
        if (plan == null) {
            return Finding.ok(ID, SUBJECT, "none is given: nothing is pinned");
        }
        return plan.warnings().isEmpty()
                ? Finding.ok(ID, SUBJECT, plan.summary().replaceFirst("^placement ", ""))
                : new Finding(
                        ID,
                        Severity.PROBLEM,
                        SUBJECT,
                        String.join("; ", plan.warnings()),
                        "shards are not where they were meant to be; with --strict-placement a server refuses to start",
                        "'cabrank topology --placement " + plan.placement() + "' shows what comes of it");
    }
}
