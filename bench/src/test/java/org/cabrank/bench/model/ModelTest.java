package org.cabrank.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.Affinity;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class ModelTest {

    private static final Costs COSTS = new Costs(400, 4_000, 30, 60, 180, 4, 3, 5_000, 1_500);
    private static final CostCalibration CALIBRATION = new CostCalibration(COSTS, List.of("made up"));

    private static ModelSettings settings(Integer... cores) {
        return new ModelSettings(List.of(cores), 4, 16, 100_000, 10_000, 5, 1_000_000, 200_000, 200, 1);
    }

    @Test
    void everyMachineIsSplitFromOneShardToOneForEachCore() {
        List<String> splits = Model.of(settings(1, 6, 8), CALIBRATION, null, List.of()).points().stream()
                .map(point -> point.cores() + ":" + point.shards() + "x" + point.threads())
                .toList();
        assertEquals(List.of("1:1x1", "6:1x6", "6:2x3", "6:6x1", "8:1x8", "8:2x4", "8:4x2", "8:8x1"), splits);
    }

    @Test
    void withOneThreadPerShardThePolicyMakesNoDifference() {
        for (ModelReport.Point point :
                Model.of(settings(4), CALIBRATION, null, List.of()).points()) {
            assertEquals(point.threads() == 1, point.eager().equals(point.deferred()), point.toString());
        }
    }

    @Test
    void aReportIsReadAsItWasWritten(@TempDir Path directory) throws IOException {
        ModelReport report = Model.of(settings(2), CALIBRATION, null, List.of("bench", "model"));
        Path file = directory.resolve("model.json");
        JsonFile.write(report, file);
        assertEquals(report, JsonFile.read(file, ModelReport.class));
    }

    @Test
    void whatIsNoReportOfScalingIsRefusedInWords(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("other.json");
        for (String content : new String[] {"", "[]", "{\"format\" : 0}", "{\"points\" : []}"}) {
            Files.writeString(file, content);
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> Model.measured(file), content);
            assertTrue(refused.getMessage().contains("bench scaling"), refused.getMessage());
            assertEquals(1, refused.getMessage().lines().count(), refused.getMessage());
        }
    }

    @Test
    void costsAreReplacedByName() {
        Costs costs = COSTS.with(Map.of("wakeup", 7.0, "connection-lines", 1.0));
        assertEquals(7, costs.wakeupNs());
        assertEquals(1, costs.connectionLines());
        assertEquals(COSTS, costs.with(Map.of("wakeup", 5_000.0, "connection-lines", 3.0)));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> COSTS.with(Map.of("wake", 7.0)))
                .getMessage()
                .contains("there are harvest, event, promotion"));
        assertThrows(IllegalArgumentException.class, () -> COSTS.with(Map.of("wakeup", -1.0)));
        assertThrows(IllegalArgumentException.class, () -> COSTS.with(Map.of("wakeup", Double.NaN)));
    }

    @Test
    void theCostsOfThisMachineAreMeasured() throws Exception {
        Kernel kernel = Kernels.system();
        Affinity affinity = new Affinity(kernel);
        var before = affinity.current();
        Costs here = CostCalibration.measure(kernel, before).costs();
        assertEquals(before, affinity.current());
        for (String measured : List.of("harvest", "event", "promotion", "transfer", "wakeup", "unpark")) {
            assertTrue(here.asMap().get(measured) > 0, here.toString());
        }
    }
}
