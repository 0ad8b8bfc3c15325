package org.cabrank.lf.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClaimStateTest {
    private static final class State extends ClaimState {
        State() {
            super(false);
        }
    }

    private final State state = new State();

    @Test
    void firstClaimSucceedsAndFurtherEventsAreNotedForItsHolder() {
        assertEquals(ReadyBits.READ, state.claim(ReadyBits.READ));
        assertTrue(state.isClaimed());
        assertEquals(0, state.claim(ReadyBits.READ));
        assertEquals(0, state.claim(ReadyBits.WRITE));
        assertEquals(ReadyBits.READ | ReadyBits.WRITE, state.release());
        assertTrue(state.isClaimed(), "it goes round again with them");
        assertFalse(state.isConcurrentState());
        assertEquals(0, state.release());
        assertFalse(state.isClaimed());
    }

    @Test
    void everyReadyBitGoesToExactlyOneRound() {
        state.claim(ReadyBits.READ);
        state.claim(ReadyBits.HANGUP);
        assertEquals(ReadyBits.HANGUP, state.release());
        state.claim(ReadyBits.ERROR);
        assertEquals(ReadyBits.ERROR, state.release());
        assertEquals(0, state.release());
        assertEquals(ReadyBits.READ, state.claim(ReadyBits.READ), "nothing of the earlier rounds is left");
    }

    @Test
    void nothingReadyClaimsNothing() {
        assertEquals(0, state.claim(0));
        assertFalse(state.isClaimed());
    }

    @Test
    void postOfAFreeHandleIsListedOnce() {
        assertTrue(state.notePosted(ReadyBits.POSTED));
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertFalse(state.notePosted(ReadyBits.POSTED_2));
        assertEquals(ReadyBits.POSTED | ReadyBits.POSTED_2, state.claimPosted());
        assertEquals(0, state.release());
        assertTrue(state.notePosted(ReadyBits.POSTED), "it has left the list");
    }

    @Test
    void postOfAClaimedHandleIsTheHoldersAndNotListed() {
        state.claim(ReadyBits.READ);
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertEquals(ReadyBits.POSTED, state.release());
    }

    @Test
    void eventTakesWhatWasPostedAlong() {
        assertTrue(state.notePosted(ReadyBits.POSTED));
        assertEquals(ReadyBits.READ | ReadyBits.POSTED, state.claim(ReadyBits.READ));
        assertFalse(state.notePosted(ReadyBits.POSTED), "it is still on the list");
        assertEquals(0, state.claimPosted(), "the list finds it claimed");
        assertEquals(ReadyBits.POSTED, state.release());
        assertEquals(0, state.release());
    }

    @Test
    void listedHandleWithNothingLeftIsNotClaimed() {
        state.notePosted(ReadyBits.POSTED);
        state.claim(ReadyBits.READ);
        state.release();
        assertEquals(0, state.claimPosted());
        assertFalse(state.isClaimed());
        assertTrue(state.notePosted(ReadyBits.POSTED));
    }

    @Test
    void yieldListsWhatIsPendingAndLetsGo() {
        state.claim(ReadyBits.READ);
        assertFalse(state.yield(), "nothing is pending");
        state.claim(ReadyBits.READ);
        state.claim(ReadyBits.WRITE);
        assertTrue(state.yield());
        assertFalse(state.isClaimed());
        assertEquals(ReadyBits.WRITE, state.claimPosted());
    }

    @Test
    void yieldDoesNotListTwice() {
        state.notePosted(ReadyBits.POSTED);
        state.claim(ReadyBits.READ);
        state.notePosted(ReadyBits.POSTED);
        assertFalse(state.yield(), "it is on the list still");
        assertEquals(ReadyBits.POSTED, state.claimPosted());
    }

    @Test
    void suspendedHandleNotesAndIsDueWhenResumed() {
        assertTrue(state.suspend());
        assertTrue(state.isSuspended());
        assertFalse(state.suspend());
        assertEquals(0, state.claim(ReadyBits.READ));
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertEquals(0, state.claimPosted());
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(ReadyBits.READ | ReadyBits.POSTED, state.claimPosted());
    }

    @Test
    void resumingWithNothingPendingIsNotDue() {
        state.suspend();
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(0));
        assertEquals(ClaimState.Resumption.WAS_NOT_SUSPENDED, state.resume(0));
        assertEquals(ReadyBits.READ, state.claim(ReadyBits.READ));
    }

    @Test
    void resumingNotesInTheSameStep() {
        state.suspend();
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(ReadyBits.REARM));
        assertFalse(state.notePosted(ReadyBits.REARM), "it is on the list already");
        assertEquals(ReadyBits.REARM, state.claimPosted());
        state.release();
        assertEquals(ClaimState.Resumption.WAS_NOT_SUSPENDED, state.resume(ReadyBits.REARM));
        assertTrue(state.notePosted(ReadyBits.POSTED), "the refused one has left nothing behind");
        assertEquals(ReadyBits.POSTED, state.claimPosted());
    }

    @Test
    void holderOfASuspendedHandleLetsGoWithEventsPending() {
        state.claim(ReadyBits.READ);
        state.suspend();
        state.claim(ReadyBits.WRITE);
        assertEquals(0, state.release());
        assertFalse(state.isClaimed());
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(ReadyBits.WRITE, state.claimPosted());
    }

    @Test
    void resumingAClaimedHandleLeavesItToTheHolder() {
        state.claim(ReadyBits.READ);
        state.suspend();
        state.claim(ReadyBits.WRITE);
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(0));
        assertEquals(ReadyBits.WRITE, state.release());
    }

    @Test
    void resumingAListedHandleDoesNotListItTwice() {
        state.notePosted(ReadyBits.POSTED);
        state.suspend();
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(0));
        assertEquals(ReadyBits.POSTED, state.claimPosted());
    }

    @Test
    void requestToCloseIsDeliveredWhileSuspended() {
        state.suspend();
        state.claim(ReadyBits.READ);
        assertTrue(state.notePosted(ReadyBits.CLOSE));
        assertEquals(ReadyBits.CLOSE, state.claimPosted());
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(ReadyBits.REARM));
    }

    @Test
    void requestToCloseReachesTheHolderOfASuspendedHandle() {
        state.claim(ReadyBits.READ);
        state.suspend();
        assertFalse(state.notePosted(ReadyBits.CLOSE));
        assertEquals(ReadyBits.CLOSE, state.release());
    }

    @Test
    void nothingIsNotedOrDispatchedAfterTheClose() {
        state.claim(ReadyBits.READ);
        state.claim(ReadyBits.WRITE);
        assertTrue(state.markClosed());
        assertFalse(state.markClosed());
        assertTrue(state.isClosedState());
        assertEquals(0, state.release());
        assertEquals(0, state.claim(ReadyBits.READ));
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertFalse(state.suspend());
        assertFalse(state.isClaimed());
    }

    @Test
    void closedHandleLeavesTheListWithoutAClaim() {
        state.notePosted(ReadyBits.POSTED);
        state.markClosed();
        assertEquals(0, state.claimPosted());
        assertFalse(state.isClaimed());
    }

    // ---- detained handles ----

    @Test
    void detainedHandleIsGivenTheEndOfTheWorkBeforeAllElse() {
        state.claim(ReadyBits.READ);
        assertTrue(state.detain());
        assertFalse(state.detain(), "it is already");
        assertEquals(0, state.claim(ReadyBits.WRITE));
        assertEquals(0, state.release(), "the handler returns");
        assertFalse(state.isClaimed());
        assertTrue(state.isDetained());
        assertEquals(0, state.claim(ReadyBits.READ));
        assertFalse(state.notePosted(ReadyBits.POSTED));
        assertTrue(state.notePosted(ReadyBits.RESUMED));
        assertEquals(ReadyBits.RESUMED, state.claimPosted());
        state.endDetention();
        assertEquals(ReadyBits.READ | ReadyBits.WRITE | ReadyBits.POSTED, state.release());
        assertEquals(0, state.release());
    }

    @Test
    void detainedHandleIsGivenTheRequestToClose() {
        state.claim(ReadyBits.READ);
        state.detain();
        state.release();
        assertTrue(state.notePosted(ReadyBits.CLOSE));
        assertFalse(state.notePosted(ReadyBits.RESUMED));
        assertEquals(ReadyBits.CLOSE | ReadyBits.RESUMED, state.claimPosted());
        assertTrue(state.markClosed());
        assertFalse(state.isDetained());
        assertEquals(0, state.release());
    }

    @Test
    void suspendedAndDetainedHandleWaitsForBoth() {
        state.claim(ReadyBits.READ);
        state.detain();
        state.release();
        state.suspend();
        state.claim(ReadyBits.WRITE);
        assertFalse(state.notePosted(ReadyBits.RESUMED));
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(ReadyBits.RESUMED, state.claimPosted());
        state.endDetention();
        assertEquals(ReadyBits.WRITE, state.release());
    }

    @Test
    void unwantedHandleIsKeptForLater() {
        state.notePosted(ReadyBits.POSTED);
        assertEquals(ClaimState.KEPT, state.claimPosted(ReadyBits.WHEN_DETAINED));
        assertFalse(state.isClaimed());
        assertFalse(state.notePosted(ReadyBits.POSTED_2), "it is listed still");
        assertEquals(ReadyBits.POSTED | ReadyBits.POSTED_2, state.claimPosted());
    }

    // ---- the only thread ----

    @Test
    void onlyThreadClaimsWithoutMarkingWhileNothingIsPending() {
        assertEquals(ReadyBits.READ, state.claimAlone(ReadyBits.READ));
        assertEquals(0, state.release());
        assertEquals(ReadyBits.WRITE, state.claimAlone(ReadyBits.WRITE));
    }

    @Test
    void postsDuringAWaitReachTheOnlyThread() {
        assertEquals(ReadyBits.READ, state.claimAlone(ReadyBits.READ));
        assertTrue(state.notePosted(ReadyBits.POSTED));
        assertEquals(ReadyBits.POSTED, state.release());
        assertEquals(0, state.release());
        assertEquals(0, state.claimPosted(), "it was given already");
    }

    @Test
    void onlyThreadRespectsSuspensionAndClose() {
        state.suspend();
        assertEquals(0, state.claimAlone(ReadyBits.READ));
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(ReadyBits.READ, state.claimPosted());
        state.release();
        state.markClosed();
        assertEquals(0, state.claimAlone(ReadyBits.READ));
    }
}
