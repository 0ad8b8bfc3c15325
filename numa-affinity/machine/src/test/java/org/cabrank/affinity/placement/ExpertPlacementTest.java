package org.cabrank.affinity.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.cabrank.affinity.fixture.DescribedMachine;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans for machines of the field, with the reasons that 'cabrank topology' prints, as an expert would make them by hand. */
class ExpertPlacementTest {
    @TempDir(factory = InMemory.class)
    private Path directory;

    private Topology topology;
    private ProcessLimits limits;

    private void on(DescribedMachine described) {
        MachineFixture machine = described.in(directory);
        topology = machine.topology();
        limits = machine.limits();
    }

    private void plans(String placement, int shards, int threads, String expected) {
        assertEquals(
                expected,
                Plans.plan(placement, topology, limits, shards, threads).describe());
    }

    @Test
    void epycOfFourNodesPerSocketKeepsShardsNearTheirCachesMemoryAndCard() {
        on(DescribedMachine.EPYC_NPS4);
        plans("cores", 3, 1, """
                placement cores: 3 shards, a core for each shard, its other hardware threads left idle
                  shard 0  CPU 0  node 0  core 0, L3 0, node 0, package 0; sibling CPU 64 stays idle
                  shard 1  CPU 1  node 0  core 1, L3 0, node 0, package 0; sibling CPU 65 stays idle
                  shard 2  CPU 2  node 0  core 2, L3 0, node 0, package 0; sibling CPU 66 stays idle
                """);
        plans("pack", 5, 2, """
                placement pack: 5 shards x 2 threads, as near together as can be
                  shard 0  CPU 0,64  node 0  packed in core 0, L3 0, node 0, package 0
                  shard 1  CPU 1,65  node 0  packed in core 1, L3 0, node 0, package 0
                  shard 2  CPU 2,66  node 0  packed in core 2, L3 0, node 0, package 0
                  shard 3  CPU 3,67  node 0  packed in core 3, L3 0, node 0, package 0
                  shard 4  CPU 4-5   node 0  packed in L3 1, node 0, package 0
                """);
        plans("spread", 8, 2, """
                placement spread: 8 shards x 2 threads, as far apart as can be
                  shard 0  CPU 0-1    node 0  spread to L3 0, node 0, package 0
                  shard 1  CPU 32-33  node 4  spread to L3 8, node 4, package 1
                  shard 2  CPU 8-9    node 1  spread to L3 2, node 1, package 0
                  shard 3  CPU 40-41  node 5  spread to L3 10, node 5, package 1
                  shard 4  CPU 16-17  node 2  spread to L3 4, node 2, package 0
                  shard 5  CPU 48-49  node 6  spread to L3 12, node 6, package 1
                  shard 6  CPU 24-25  node 3  spread to L3 6, node 3, package 0
                  shard 7  CPU 60-61  node 7  spread to L3 15, node 7, package 1
                """);
        plans("node", 0, 1, """
                placement node: 8 shards, a node for each shard, which are uneven: 8 to 16 CPUs that may be used
                  shard 0  CPU 0-7,64-71      node 0  all 16 CPUs of node 0, package 0 that may be used
                  shard 1  CPU 8-15,72-79     node 1  all 16 CPUs of node 1, package 0 that may be used
                  shard 2  CPU 16-23,80-87    node 2  all 16 CPUs of node 2, package 0 that may be used
                  shard 3  CPU 24-31,88-95    node 3  all 16 CPUs of node 3, package 0 that may be used
                  shard 4  CPU 32-39,96-103   node 4  all 16 CPUs of node 4, package 1 that may be used
                  shard 5  CPU 40-47,104-111  node 5  all 16 CPUs of node 5, package 1 that may be used
                  shard 6  CPU 48-55,112-119  node 6  all 16 CPUs of node 6, package 1 that may be used
                  shard 7  CPU 60-63,124-127  node 7  all 8 CPUs of L3 15, node 7, package 1 that may be used
                """);
        plans("l3", 2, 2, """
                placement l3: 2 shards x 2 threads, an L3 domain for each shard
                  shard 0  CPU 0-3,64-67  node 0  all 8 CPUs of L3 0, node 0, package 0 that may be used
                  shard 1  CPU 4-7,68-71  node 0  all 8 CPUs of L3 1, node 0, package 0 that may be used
                """);
        plans("nic:eth0", 0, 1, """
                placement nic:eth0: 4 shards, near eth0; 4 cores of node 5 are left to its interrupts
                  shard 0  CPU 44  node 5  core 44, L3 11, node 5, package 1; beside eth0
                  shard 1  CPU 45  node 5  core 45, L3 11, node 5, package 1; beside eth0
                  shard 2  CPU 46  node 5  core 46, L3 11, node 5, package 1; beside eth0
                  shard 3  CPU 47  node 5  core 47, L3 11, node 5, package 1; beside eth0
                """);
        plans("isolated", 6, 1, """
                placement isolated: 6 shards, on isolated CPUs, where the scheduler puts nothing else
                  shard 0  CPU 56   node 7  core 56, L3 14, node 7, package 1; isolated
                  shard 1  CPU 57   node 7  core 57, L3 14, node 7, package 1; isolated
                  shard 2  CPU 58   node 7  core 58, L3 14, node 7, package 1; isolated
                  shard 3  CPU 59   node 7  core 59, L3 14, node 7, package 1; isolated
                  shard 4  CPU 120  node 7  core 56, L3 14, node 7, package 1; on the core of shard 0; isolated
                  shard 5  CPU 121  node 7  core 57, L3 14, node 7, package 1; on the core of shard 1; isolated
                  warning: there are 6 shards but only 4 isolated cores: shards 4-5 run on hardware threads of cores that \
                other shards use, and they slow each other down; ask for 4 shards or isolate more cores
                """);
    }

    @Test
    void meteorLakeServesOnPerformanceCores() {
        on(DescribedMachine.METEOR_LAKE);
        plans("cores", 8, 1, """
                placement cores: 8 shards, a core for each shard, its other hardware threads left idle
                  shard 0  CPU 0   node 0  performance core 0, L3 0, node 0, package 0; sibling CPU 1 stays idle
                  shard 1  CPU 2   node 0  performance core 1, L3 0, node 0, package 0; sibling CPU 3 stays idle
                  shard 2  CPU 4   node 0  performance core 2, L3 0, node 0, package 0; sibling CPU 5 stays idle
                  shard 3  CPU 6   node 0  performance core 3, L3 0, node 0, package 0; sibling CPU 7 stays idle
                  shard 4  CPU 8   node 0  performance core 4, L3 0, node 0, package 0; sibling CPU 9 stays idle
                  shard 5  CPU 10  node 0  performance core 5, L3 0, node 0, package 0; sibling CPU 11 stays idle
                  shard 6  CPU 12  node 0  efficiency core 6, cluster 0, L3 0, node 0, package 0
                  shard 7  CPU 13  node 0  efficiency core 7, cluster 0, L3 0, node 0, package 0
                  warning: the plan mixes kinds of cores: shards 0-5 on performance cores, shards 6-7 on efficiency cores; \
                ask for cores:performance where that is too slow
                """);
        plans("cores:performance", 0, 1, """
                placement cores:performance: 6 shards, a core for each shard, its other hardware threads left idle
                  shard 0  CPU 0   node 0  performance core 0, L3 0, node 0, package 0; sibling CPU 1 stays idle
                  shard 1  CPU 2   node 0  performance core 1, L3 0, node 0, package 0; sibling CPU 3 stays idle
                  shard 2  CPU 4   node 0  performance core 2, L3 0, node 0, package 0; sibling CPU 5 stays idle
                  shard 3  CPU 6   node 0  performance core 3, L3 0, node 0, package 0; sibling CPU 7 stays idle
                  shard 4  CPU 8   node 0  performance core 4, L3 0, node 0, package 0; sibling CPU 9 stays idle
                  shard 5  CPU 10  node 0  performance core 5, L3 0, node 0, package 0; sibling CPU 11 stays idle
                """);
        plans("pack", 4, 2, """
                placement pack: 4 shards x 2 threads, as near together as can be
                  shard 0  CPU 0-1  node 0  packed in performance core 0, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 1  CPU 2-3  node 0  packed in performance core 1, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 2  CPU 4-5  node 0  packed in performance core 2, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 3  CPU 6-7  node 0  packed in performance core 3, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                """);
        plans("spread", 8, 2, """
                placement spread: 8 shards x 2 threads, as far apart as can be
                  shard 0  CPU 0-1    node 0  spread to performance core 0, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 1  CPU 2-3    node 0  spread to performance core 1, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 2  CPU 4-5    node 0  spread to performance core 2, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 3  CPU 6-7    node 0  spread to performance core 3, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 4  CPU 8-9    node 0  spread to performance core 4, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 5  CPU 10-11  node 0  spread to performance core 5, L3 0, node 0, package 0; its threads share a core \
                rather than go to slower cores
                  shard 6  CPU 12-13  node 0  spread to efficiency cores, cluster 0, L3 0, node 0, package 0
                  shard 7  CPU 16-17  node 0  spread to efficiency cores, cluster 1, L3 0, node 0, package 0
                  warning: the plan mixes kinds of cores: shards 0-5 on performance cores, shards 6-7 on efficiency cores; \
                ask for spread:performance where that is too slow
                """);
        plans("smt", 2, 2, """
                placement smt: 2 shards x 2 threads, a core for each shard
                  shard 0  CPU 0-1  node 0  its threads share all hardware threads of performance core 0, L3 0, node 0, \
                package 0
                  shard 1  CPU 2-3  node 0  its threads share all hardware threads of performance core 1, L3 0, node 0, \
                package 0
                """);
        plans("l3", 0, 1, """
                placement l3: 1 shard, an L3 domain for each shard
                  shard 0  CPU 0-19  node 0  all 20 CPUs of L3 0, node 0, package 0 that may be used
                  warning: CPU 20-21 (low-power cores) is outside every L3 cache, and is left out; ask for node, or name CPUs \
                in a list, to use these cores
                  warning: the plan mixes kinds of cores: shard 0 on performance and efficiency cores; ask for l3:performance \
                where that is too slow
                """);
    }

    @Test
    void phoneServesOnItsLargeCoresFirst() {
        on(DescribedMachine.PHONE);
        plans("cores", 5, 1, """
                placement cores: 5 shards, a core for each shard, its other hardware threads left idle
                  shard 0  CPU 7  node 0  performance core 7, L3 0, node 0, package 0
                  shard 1  CPU 4  node 0  middle core 4, cluster 1, L3 0, node 0, package 0
                  shard 2  CPU 5  node 0  middle core 5, cluster 1, L3 0, node 0, package 0
                  shard 3  CPU 6  node 0  middle core 6, cluster 1, L3 0, node 0, package 0
                  shard 4  CPU 0  node 0  efficiency core 0, cluster 0, node 0, package 0
                  warning: the plan mixes kinds of cores: shard 0 on performance cores, shards 1-3 on middle cores, shard 4 \
                on efficiency cores; ask for cores:performance where that is too slow
                """);
        plans("pack", 2, 2, """
                placement pack: 2 shards x 2 threads, as near together as can be
                  shard 0  CPU 4,7  node 0  packed in L3 0, node 0, package 0
                  shard 1  CPU 5-6  node 0  packed in middle cores, cluster 1, L3 0, node 0, package 0
                  warning: the plan mixes kinds of cores: shard 0 on performance and middle cores, shard 1 on middle cores; \
                ask for pack:performance where that is too slow
                """);
        plans("l3", 0, 1, """
                placement l3: 1 shard, an L3 domain for each shard
                  shard 0  CPU 4-7  node 0  all 4 CPUs of L3 0, node 0, package 0 that may be used
                  warning: CPU 0-3 (efficiency cores) is outside every L3 cache, and is left out; ask for node, or name CPUs \
                in a list, to use these cores
                  warning: the plan mixes kinds of cores: shard 0 on performance and middle cores; ask for l3:performance \
                where that is too slow
                """);
        plans("cores:performance", 0, 1, """
                placement cores:performance: 1 shard, a core for each shard, its other hardware threads left idle
                  shard 0  CPU 7  node 0  performance core 7, L3 0, node 0, package 0
                """);
    }

    @Test
    void graceHopperIsOneDomainWhoseMemoryIsTheProcessors() {
        on(DescribedMachine.GRACE_HOPPER);
        plans("pack", 3, 1, """
                placement pack: 3 shards, as near together as can be
                  shard 0  CPU 0  node 0  packed in core 0, L3 0, node 0, package 0
                  shard 1  CPU 1  node 0  packed in core 1, L3 0, node 0, package 0
                  shard 2  CPU 2  node 0  packed in core 2, L3 0, node 0, package 0
                """);
        plans("spread", 2, 2, """
                placement spread: 2 shards x 2 threads, as far apart as can be
                  shard 0  CPU 0-1  node 0  spread to L3 0, node 0, package 0
                  shard 1  CPU 2-3  node 0  spread to L3 0, node 0, package 0
                """);
        plans("node", 0, 1, """
                placement node: 1 shard, a node for each shard
                  shard 0  CPU 0-71  node 0  all 72 CPUs of L3 0, node 0, package 0 that may be used
                """);
        plans("l3", 0, 1, """
                placement l3: 1 shard, an L3 domain for each shard
                  shard 0  CPU 0-71  node 0  all 72 CPUs of L3 0, node 0, package 0 that may be used
                """);
    }

    @Test
    void altraMaxKeepsThreadsOfAShardInACluster() {
        on(DescribedMachine.ALTRA_MAX);
        plans("pack", 3, 1, """
                placement pack: 3 shards, as near together as can be
                  shard 0  CPU 0  node 0  packed in core 0, cluster 0, node 0, package 0
                  shard 1  CPU 1  node 0  packed in core 1, cluster 0, node 0, package 0
                  shard 2  CPU 2  node 0  packed in core 2, cluster 1, node 0, package 0
                """);
        plans("spread", 3, 2, """
                placement spread: 3 shards x 2 threads, as far apart as can be
                  shard 0  CPU 0-1  node 0  spread to cluster 0, node 0, package 0
                  shard 1  CPU 2-3  node 0  spread to cluster 1, node 0, package 0
                  shard 2  CPU 4-5  node 0  spread to cluster 2, node 0, package 0
                """);
        plans("cores", 2, 1, """
                placement cores: 2 shards, a core for each shard, its other hardware threads left idle
                  shard 0  CPU 0  node 0  core 0, cluster 0, node 0, package 0
                  shard 1  CPU 1  node 0  core 1, cluster 0, node 0, package 0
                """);
        plans("l3", 0, 1, """
                placement l3: 1 shard, an L3 domain for each shard
                  shard 0  CPU 0-127  node 0  all 128 CPUs of node 0, package 0 that may be used
                  warning: the kernel shows no L3 cache for any of the CPUs: those of a node are taken for one domain; ask \
                for the placement node
                """);
    }

    @Test
    void dockerContainerStaysInItsCpusetAndQuota() {
        on(DescribedMachine.DOCKER_CONTAINER);
        plans("cores", 0, 1, """
                placement cores: 2 shards, a core for each shard, its other hardware threads left idle; no more \
                shards, as the CPU quota is the time of 2.5 CPUs
                  shard 0  CPU 0  node 0  core 0, L3 0, node 0, package 0; sibling CPU 16 stays idle
                  shard 1  CPU 1  node 0  core 1, L3 0, node 0, package 0; sibling CPU 17 stays idle
                """);
        plans("pack", 0, 1, """
                placement pack: 2 shards, as near together as can be; no more shards, as the CPU quota is the time \
                of 2.5 CPUs
                  shard 0  CPU 0  node 0  packed in core 0, L3 0, node 0, package 0
                  shard 1  CPU 1  node 0  packed in core 1, L3 0, node 0, package 0
                """);
        plans("node", 0, 1, """
                placement node: 1 shard, a node for each shard
                  shard 0  CPU 0-3,16-19  node 0  all 8 CPUs of L3 0, node 0, package 0 that may be used
                """);
        plans("pack", 4, 1, """
                placement pack: 4 shards, as near together as can be
                  shard 0  CPU 0  node 0  packed in core 0, L3 0, node 0, package 0
                  shard 1  CPU 1  node 0  packed in core 1, L3 0, node 0, package 0
                  shard 2  CPU 2  node 0  packed in core 2, L3 0, node 0, package 0
                  shard 3  CPU 3  node 0  packed in core 3, L3 0, node 0, package 0
                  warning: the cgroup's quota is the time of 2.5 CPUs, and 4 shards can keep as many CPUs busy: they start \
                all the same, and whenever they have used the quota up the kernel stops them all for the rest of its period; \
                ask for 2 shards or raise the quota (cpu.max)
                """);
        plans("isolated", 1, 1, """
                placement isolated: 1 shard, as near together as can be
                  shard 0  CPU 0  node 0  packed in core 0, L3 0, node 0, package 0
                  warning: this machine has no isolated CPU that this process may use: shards are packed on its other CPUs; \
                the cpuset of a cgroup, such as a container's, holds this process to CPU 0-3,16-19: whoever runs the host \
                must isolate CPUs (isolcpus=LIST) and give them to that cgroup's cpuset.cpus, or make the cgroup an isolated \
                partition (cpuset.cpus.partition)
                """);
    }

    @Test
    void lxcfsContainerStaysInItsMaskAndQuota() {
        on(DescribedMachine.LXCFS_CONTAINER);
        plans("cores", 0, 1, """
                placement cores: 2 shards, a core for each shard, its other hardware threads left idle; no more \
                shards, as the CPU quota is the time of 2 CPUs
                  shard 0  CPU 8  node 0  core 8, L3 2, node 0, package 0
                  shard 1  CPU 9  node 0  core 9, L3 2, node 0, package 0
                """);
        plans("l3", 0, 1, """
                placement l3: 1 shard, an L3 domain for each shard
                  shard 0  CPU 8-11  node 0  all 4 CPUs of L3 2, node 0, package 0 that may be used
                """);
        plans("pack", 0, 2, """
                placement pack: 1 shard x 2 threads, as near together as can be; no more shards, as the CPU quota is the time \
                of 2 CPUs
                  shard 0  CPU 8-9  node 0  packed in L3 2, node 0, package 0
                """);
    }
}
