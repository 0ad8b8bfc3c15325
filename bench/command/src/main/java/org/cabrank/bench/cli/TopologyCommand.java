package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.topology.TextDrawing;
import org.cabrank.bench.topology.TopologyReport;
import org.cabrank.pinning.MachineSnapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "topology",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Draws the machine: packages, memory nodes, L3 caches, cores and CPUs, what this process may use of them, and"
                    + " where the shards of a placement would go."
        })
final class TopologyCommand implements Callable<Integer> {

    @Mixin
    private PlanOptions plan;

    @Option(names = "--json", description = "Prints it as JSON instead.")
    private boolean json;

    @Mixin
    private MachineRoots roots;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        MachineSnapshot snapshot = CommandMachine.snapshot(roots, spec.commandLine());
        PlacementPlan planned = plan.plan(snapshot, spec.commandLine());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonFile.text(TopologyReport.of(snapshot, planned)));
        } else {
            out.print(TextDrawing.of(snapshot, planned));
        }
        out.flush();
        return 0;
    }
}
