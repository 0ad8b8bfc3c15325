package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.cabrank.affinity.CpuList;

/**
 * A machine at the time of reading. Immutable: CPUs that go online or offline later do not change it.
 *
 * @param cpus the present CPUs, ascending; at least one
 * @param nodes the online memory nodes, ascending; at least one
 * @param interfaces the network interfaces by name
 * @param notes descriptions of missing or malformed files and the assumptions made instead
 */
public record Topology(
        MachineInfo machine,
        List<Cpu> cpus,
        List<MemoryNode> nodes,
        List<NetworkInterface> interfaces,
        List<String> notes) {

    /** The distance of a node to itself (ACPI's SLIT). */
    public static final int LOCAL_DISTANCE = 10;

    /** Distance between two nodes if the kernel reports none. */
    public static final int REMOTE_DISTANCE = 20;

    public Topology {
        Objects.requireNonNull(machine);
        cpus = List.copyOf(cpus);
        nodes = List.copyOf(nodes);
        interfaces = List.copyOf(interfaces);
        notes = List.copyOf(notes);
    }

    /** All CPUs, online or not. */
    public CpuList present() {
        return those(cpu -> true);
    }

    public CpuList online() {
        return those(Cpu::online);
    }

    /** Isolated CPUs ({@link Cpu#isolated}), online or not. */
    public CpuList isolated() {
        return those(Cpu::isolated);
    }

    /** Returns this machine with {@code more} isolated CPUs, for example those of an isolated partition of cgroups. */
    public Topology isolating(CpuList more) {
        if (isolated().containsAll(more)) {
            return this;
        }
        List<Cpu> changed = cpus.stream()
                .map(cpu -> more.contains(cpu.id()) ? cpu.isolatedToo() : cpu)
                .toList();
        return new Topology(machine, changed, nodes, interfaces, notes);
    }

    /** Tickless CPUs (kernel parameter nohz_full), online or not. */
    public CpuList nohzFull() {
        return those(Cpu::nohzFull);
    }

    private CpuList those(Predicate<Cpu> wanted) {
        return CpuList.of(cpus.stream().filter(wanted).mapToInt(Cpu::id).toArray());
    }

    public Optional<Cpu> cpu(int id) {
        return cpus.stream().filter(cpu -> cpu.id() == id).findFirst();
    }

    /** All CPUs of the core of CPU {@code id}, including this CPU. Empty if the CPU is absent or offline. */
    public CpuList smtSiblings(int id) {
        int core = cpu(id).map(Cpu::core).orElse(-1);
        return core < 0 ? CpuList.of() : those(cpu -> cpu.core() == core);
    }

    /** The CPUs of each core; the index is the number of the core. */
    public List<CpuList> cores() {
        return domains(Cpu::core);
    }

    /** The CPUs of each L3 cache; the index is the number of the cache. */
    public List<CpuList> l3Domains() {
        return domains(Cpu::l3);
    }

    /** The CPUs of each package; the index is the number of the package. */
    public List<CpuList> packages() {
        return domains(Cpu::pkg);
    }

    List<CpuList> domains(ToIntFunction<Cpu> domain) {
        Map<Integer, CpuList> members = new TreeMap<>();
        cpus.stream()
                .filter(cpu -> domain.applyAsInt(cpu) >= 0)
                .forEach(cpu -> members.merge(domain.applyAsInt(cpu), CpuList.of(cpu.id()), CpuList::union));
        return List.copyOf(members.values());
    }

    /** Returns true if a core has more than one online CPU. */
    public boolean smt() {
        return cpus.stream().anyMatch(cpu -> cpu.thread() > 0);
    }

    /** Returns true if the machine has cores of several kinds. */
    public boolean hybrid() {
        return cpus.stream().anyMatch(cpu -> cpu.kind() != CoreKind.UNIFORM);
    }

    public Optional<MemoryNode> node(int id) {
        return nodes.stream().filter(node -> node.id() == id).findFirst();
    }

    public List<MemoryNode> nodesWithCpus() {
        return nodes.stream().filter(node -> !node.cpus().isEmpty()).toList();
    }

    /** The distance of CPUs of {@code from} to memory of {@code to}. If it is unknown, 10 for the same node and 20 for different nodes. */
    public int distance(int from, int to) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).id() == to) {
                int index = i;
                return node(from)
                        .filter(node -> index < node.distances().size())
                        .map(node -> node.distances().get(index))
                        .orElse(from == to ? LOCAL_DISTANCE : REMOTE_DISTANCE);
            }
        }
        return from == to ? LOCAL_DISTANCE : REMOTE_DISTANCE;
    }

    public Optional<NetworkInterface> networkInterface(String name) {
        return interfaces.stream()
                .filter(networkInterface -> networkInterface.name().equals(name))
                .findFirst();
    }
}
