package org.cabrank.netty;

import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out, outside a soak, those parts of Netty's suite that differ from another part by the bytes or the address family alone. The
 * backend reports readiness and sees neither, and the suite over the other backend runs all parts.
 */
final class NotOverEachBackend implements ExecutionCondition {
    private static final Set<String> PARTS = Set.of(
            "CompositeBufferGatheringWrite",
            "DatagramUnicastIPv6",
            "DatagramUnicastIPv6Mapped",
            "SocketFixedLengthEcho",
            "SocketSslSessionReuse",
            "SocketStartTls",
            "SocketStringEcho",
            "UnixSocketFixedLengthEcho",
            "UnixSocketSslGreeting",
            "UnixSocketStringEcho");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean leftOut = context.getTestClass()
                .filter(part -> PARTS.contains(part.getSimpleName()))
                .isPresent();
        return leftOut && System.getProperty(NettySuite.SOAK) == null
                ? ConditionEvaluationResult.disabled("runs over the other backend, and in a soak")
                : ConditionEvaluationResult.enabled("depends on the backend");
    }
}
