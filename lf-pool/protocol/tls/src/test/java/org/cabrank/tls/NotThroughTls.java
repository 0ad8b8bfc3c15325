package org.cabrank.tls;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The parts of the contract of streams that do not hold through TLS or have nothing to do with TLS, each with its reason. */
final class NotThroughTls implements ExecutionCondition {
    private static final String ENCRYPTED_LIMITS =
            "limits count encrypted bytes, and the test writes as many as the limit allows";
    private static final String NO_HANDSHAKE =
            "the client does not come through the handshake, which the test does not expect";
    private static final String BYPASS = "the test uses the socket below TLS";

    private static final String NOT_OF_BYTES = "the contract is not about the bytes of a connection";

    /** Contracts that are left out as a whole, by the simple name of the nested class. */
    private static final Map<String, String> CONTRACTS = Map.of(
            "Addresses", NOT_OF_BYTES,
            "Clients", NOT_OF_BYTES,
            "Files", NOT_OF_BYTES,
            "Listening", NOT_OF_BYTES);

    /**
     * Contracts that hold by what TLS adds and the connection below guarantees, whichever backend is below, by the simple name of the nested
     * class: one backend is enough for them, but for a soak.
     */
    private static final Set<String> OVER_ONE_BACKEND = Set.of(
            "Blocking",
            "Deadlines",
            "HandlerFailures",
            "LongAnswers",
            "OffloadEnds",
            "OffloadFailures",
            "ReplacedHandlers",
            "Schedules",
            "SentFiles",
            "Watermarks",
            "WriteCompletions");

    /** Name of a repetition but for the first. */
    private static final Pattern REPETITION = Pattern.compile("repetition (?!1 ).*");

    private static final boolean SOAK = Integer.getInteger("cabrank.soak.seconds") != null;

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("capturedBufferShowsNothingAfterTheCallbackInTheCheckingMode", "plaintext is erased with zeros"),
            Map.entry(
                    "closeWithMuchLeftUnreadDoesNotLoseTheAnswer", "plaintext comes in records, which pass the limit"),
            Map.entry("longAnswerIsSentToItsEnd", ENCRYPTED_LIMITS),
            Map.entry("peerThatNeverReadsIsResetAfterTheDrainTimeout", ENCRYPTED_LIMITS),
            Map.entry("peerThatNeverReadsIsResetWhenTheCloseTakesTooLong", ENCRYPTED_LIMITS),
            Map.entry("peerThatTakesTheLastAnswerByteByByteIsResetAtTheTotalTimeOfTheClose", ENCRYPTED_LIMITS),
            Map.entry("fullQueueRefusesAWriteAndConsumesNothing", ENCRYPTED_LIMITS),
            Map.entry("fullQueueRefusesAnotherThreadsWriteToo", ENCRYPTED_LIMITS),
            Map.entry("writableFollowsARefusedWriteThoughNothingPassedTheHighWatermark", ENCRYPTED_LIMITS),
            Map.entry("fullMailboxRefusesTasksAndWritesUntilTheConnectionHasComeToThem", "writes are tasks"),
            Map.entry("continuationIsACallbackOfTheConnection", "records of the handshake may be queued, too"),
            Map.entry(
                    "idleTimeBeginsAfterAHandlerThatHasAnswered", "the handshake takes longer than the idle time-out"),
            Map.entry(
                    "pausedConnectionThatHasReceivedNothingEndsAtOnce",
                    "a close_notify has been received, which is not decrypted while reading is paused"),
            Map.entry(
                    "everyProgramDoesOverUnixSocketsAsTheModelDoes", "the clients of the layer use sockets of the JDK"),
            Map.entry("connectionsNotYetAcceptedAreAnsweredAndSlowHandlersAwaited", NO_HANDSHAKE),
            Map.entry("supplierThatFailsLosesThatConnectionOnly", NO_HANDSHAKE),
            Map.entry("handlerThatDoesNotReturnKeepsNeitherPeersNorTheAddress", NO_HANDSHAKE),
            Map.entry("nobodyIsLeftWaitingWhoComesDuringTheClose", BYPASS),
            Map.entry("peerThatNeverReadsCostsBoundedMemoryAndDelaysNoOtherConnection", BYPASS));

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String contract = context.getTestClass().map(Class::getSimpleName).orElse("");
        String method = context.getTestMethod().map(Method::getName).orElse("");
        String reason = CONTRACTS.getOrDefault(contract, REASONS.get(method));
        if (reason == null && !SOAK && OVER_ONE_BACKEND.contains(contract) && isOver("iouring", context)) {
            reason = "TLS differs by the backend as little as the contract does, which is held over the other one";
        }
        if (reason == null && !SOAK && contract.equals("LostOutput")) {
            reason = "LostOutputByVersionTest holds this contract in the same mode, in each version";
        }
        if (reason == null
                && !SOAK
                && REPETITION.matcher(context.getDisplayName()).matches()) {
            reason = "once in each version; races of the connection below are repeated without TLS";
        }
        return reason == null
                ? ConditionEvaluationResult.enabled("holds through TLS, too")
                : ConditionEvaluationResult.disabled(reason);
    }

    /** Returns true if the mode of the invocation that the context is part of is one of the backend. */
    private static boolean isOver(String backend, ExtensionContext context) {
        for (ExtensionContext outer = context;
                outer != null;
                outer = outer.getParent().orElse(null)) {
            if (outer.getDisplayName().startsWith(backend)) {
                return true;
            }
        }
        return false;
    }
}
