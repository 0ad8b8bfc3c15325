package org.cabrank.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.topology.SvgDrawing;
import org.cabrank.bench.topology.TextDrawing;
import org.cabrank.bench.topology.TopologyReport;
import org.cabrank.pinning.MachineSnapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cabrank topology}. */
@Command(
        name = "topology",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Draws the machine: packages, memory nodes, L3 caches, cores and CPUs, what this process may use of them, and"
                    + " where the shards of a placement would go.",
            "Exit status: 0; 1 where --strict-placement refuses the plan, or a file cannot be written."
        })
final class TopologyCommand implements Callable<Integer> {

    @Mixin
    private PlanOptions plan;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draws it as a picture in this file instead.")
    private Path svg;

    @Option(names = "--json", description = "Prints it as JSON instead.")
    private boolean json;

    @Option(
            names = "--all",
            description =
                    "Prints every L3 cache, shard, interface and note of a large machine, instead of a screen of text.")
    private boolean all;

    @Mixin
    private MachineRoots roots;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (json && svg != null) {
            throw new ParameterException(spec.commandLine(), "--json and --svg exclude each other: leave one out");
        }
        if (all && (json || svg != null)) {
            throw new ParameterException(
                    spec.commandLine(), "--all is for text: --json and --svg show everything anyway, so leave it out");
        }
        MachineSnapshot snapshot = CommandMachine.snapshot(roots, spec.commandLine());
        PlacementPlan planned = plan.plan(snapshot, spec.commandLine());
        PrintWriter out = spec.commandLine().getOut();
        if (svg != null) {
            write(SvgDrawing.of(snapshot, planned));
            out.println(svg + " is written");
        } else if (json) {
            out.println(JsonFile.text(TopologyReport.of(snapshot, planned)));
        } else {
            out.print(TextDrawing.of(snapshot, planned, all));
        }
        out.flush();
        return 0;
    }

    private void write(String picture) {
        try {
            Files.writeString(svg, picture, StandardCharsets.UTF_8);
        } catch (IOException refused) {
            throw new Failure(
                    "cannot write " + svg + ": " + refused.getMessage() + "; name a file in a directory that"
                            + " exists and is writable",
                    refused);
        }
    }
}
