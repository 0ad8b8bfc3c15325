package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

/** The manifests of scripts/kubernetes: known fields only, real flags, and figures that fit together. */
@Once
final class KubernetesManifestTest {
    private static final Path DIRECTORY =
            Path.of("").toAbsolutePath().getParent().getParent().resolve("scripts/kubernetes");
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "apps/v1 Deployment", Deployment.class,
            "v1 Service", Service.class,
            "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class);

    /** Refuses unknown fields, which the model otherwise keeps. */
    private static final YAMLMapper STRICT = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .annotationIntrospector(new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return Boolean.FALSE;
                }
            })
            .build();

    private final Map<Class<?>, HasMetadata> objects = new HashMap<>();
    private String text;

    @BeforeEach
    void read() throws IOException {
        text = Files.readString(DIRECTORY.resolve("cabrank-http.yaml"));
        for (HasMetadata object : objects(text)) {
            objects.put(object.getClass(), object);
        }
        assertEquals(KINDS.size(), objects.size());
    }

    private static List<HasMetadata> objects(String manifest) throws IOException {
        List<JsonNode> documents =
                STRICT.readerFor(JsonNode.class).<JsonNode>readValues(manifest).readAll();
        List<HasMetadata> objects = new ArrayList<>();
        for (JsonNode document : documents) {
            String kind = document.path("apiVersion").asText() + " "
                    + document.path("kind").asText();
            assertTrue(KINDS.containsKey(kind), kind);
            objects.add(STRICT.treeToValue(document, KINDS.get(kind)));
        }
        return objects;
    }

    private Deployment deployment() {
        return (Deployment) objects.get(Deployment.class);
    }

    private PodSpec pod() {
        return deployment().getSpec().getTemplate().getSpec();
    }

    private Container container() {
        return pod().getContainers().get(0);
    }

    private ParseResult flags() {
        String[] arguments = container().getArgs().toArray(String[]::new);
        return Commands.commandLine(arguments).parseArgs(arguments).subcommand().subcommand();
    }

    @Test
    void unknownFieldsAndWrongTypesAreFound() {
        for (String wrong : new String[] {
            text.replace("readinessProbe:", "readynessProbe:"),
            text.replace("failureThreshold: 60", "failureThreshold: often"),
            text.replace("runAsNonRoot: true", "runAsNonRoot: [1]")
        }) {
            assertThrows(JsonMappingException.class, () -> objects(wrong));
        }
    }

    @Test
    void allObjectsSelectThePodsOfTheDeployment() {
        Map<String, String> labels =
                deployment().getSpec().getTemplate().getMetadata().getLabels();
        assertEquals(labels, deployment().getSpec().getSelector().getMatchLabels());
        assertEquals(labels, ((Service) objects.get(Service.class)).getSpec().getSelector());
        assertEquals(
                labels,
                ((PodDisruptionBudget) objects.get(PodDisruptionBudget.class))
                        .getSpec()
                        .getSelector()
                        .getMatchLabels());
        assertEquals(
                labels,
                pod().getTopologySpreadConstraints().get(0).getLabelSelector().getMatchLabels());
    }

    @Test
    void podIsGuaranteedWithWholeCpusThatSufficeForTheShards() {
        Map<String, Quantity> limits = container().getResources().getLimits();
        assertEquals(limits, container().getResources().getRequests());
        assertTrue(limits.containsKey("memory"), limits.toString());
        int cpus = Integer.parseInt(limits.get("cpu").toString()); // whole, not 4000m
        int shards = flags().matchedOptionValue("--shards", 0);
        assertTrue(shards > 0 && shards < cpus, shards + " shards on " + cpus + " CPUs, one of them for the JVM");
        long hugePages = limits.get("hugepages-2Mi").getNumericalAmount().longValue();
        assertTrue(hugePages > megabytes("-Xmx") + megabytes("-XX:ReservedCodeCacheSize="), "heap and code cache");
        assertEquals(megabytes("-Xms"), megabytes("-Xmx"), "huge pages are taken at the start");
    }

    private long megabytes(String flag) {
        String found = container().getCommand().stream()
                .filter(argument -> argument.startsWith(flag))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(found.substring(flag.length(), found.length() - 1)) << 20;
    }

    @Test
    void probesAskThePagesOfTheMetricsPort() {
        assertPage("/health/live", container().getStartupProbe());
        assertPage("/health", container().getReadinessProbe());
        assertPage("/health/live", container().getLivenessProbe());
        assertPort("metrics", "--metrics");
        assertPort("http", "--listen");
        assertEquals(
                "http",
                ((Service) objects.get(Service.class))
                        .getSpec()
                        .getPorts()
                        .get(0)
                        .getTargetPort()
                        .getStrVal());
    }

    private static void assertPage(String path, Probe probe) {
        assertEquals(path, probe.getHttpGet().getPath());
        assertEquals("metrics", probe.getHttpGet().getPort().getStrVal());
    }

    private void assertPort(String name, String flag) {
        int port = container().getPorts().stream()
                .filter(named -> named.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getContainerPort();
        assertEquals(
                "0.0.0.0:" + port,
                flags().matchedOption(flag).originalStringValues().get(0));
    }

    @Test
    void graceCoversTheWaitTheDrainAndTheEnd() {
        long preStop = container().getLifecycle().getPreStop().getSleep().getSeconds();
        Duration delay = flags().matchedOptionValue("--drain-delay", Duration.ZERO);
        Duration drain = flags().matchedOptionValue("--drain-timeout", Duration.ZERO);
        long end = ServeOptions.END_AFTER_DRAIN.toSeconds();
        long needed = preStop + delay.toSeconds() + drain.toSeconds() + end;
        assertTrue(preStop > 0 && drain.toSeconds() > 0);
        assertTrue(pod().getTerminationGracePeriodSeconds() >= needed, needed + " s");
        // A new server is ready before an old one ends, and one pod at a time is evicted.
        assertEquals(
                0,
                deployment()
                        .getSpec()
                        .getStrategy()
                        .getRollingUpdate()
                        .getMaxUnavailable()
                        .getIntVal());
        assertTrue(deployment().getSpec().getReplicas() > 1);
    }

    @Test
    void containerHasNoPrivileges() {
        assertTrue(pod().getSecurityContext().getRunAsNonRoot());
        assertTrue(pod().getSecurityContext().getRunAsUser() > 0);
        assertEquals(
                "RuntimeDefault", pod().getSecurityContext().getSeccompProfile().getType());
        assertEquals(false, container().getSecurityContext().getAllowPrivilegeEscalation());
        assertEquals(true, container().getSecurityContext().getReadOnlyRootFilesystem());
        assertEquals(
                List.of("ALL"),
                container().getSecurityContext().getCapabilities().getDrop());
        assertEquals(false, pod().getAutomountServiceAccountToken());
    }

    @Test
    void nodesGiveCpusToOneContainerAlone() throws IOException {
        JsonNode kubelet = STRICT.readTree(DIRECTORY.resolve("kubelet.yaml").toFile());
        assertEquals("kubelet.config.k8s.io/v1beta1", kubelet.path("apiVersion").asText());
        assertEquals("KubeletConfiguration", kubelet.path("kind").asText());
        assertEquals("static", kubelet.path("cpuManagerPolicy").asText());
        assertEquals("single-numa-node", kubelet.path("topologyManagerPolicy").asText());
        assertEquals("pod", kubelet.path("topologyManagerScope").asText());
        // The static policy needs reserved CPUs, and its options are texts.
        assertTrue(kubelet.path("reservedSystemCPUs").isTextual());
        assertTrue(
                kubelet.path("cpuManagerPolicyOptions").path("full-pcpus-only").isTextual());
    }
}
